# Gatehouse in a container. docs/install.md says how to run it.
FROM node:26.10.0-trixie-slim AS build
ENV GATEHOUSE_NODE=/usr/local/bin/node
WORKDIR /srv/gatehouse
COPY package.json package-lock.json .npmrc ./
# The image has the Node that the npm package would bring.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/node-darwin-*
COPY CHANGELOG.md LICENSE ./
COPY bin bin
COPY deployments deployments
COPY src src
# The program is bundled here, because nothing can be written where it runs. Layers keep whole seconds of the times of files, by which the
# bundle knows its sources.
RUN find bin src package.json package-lock.json node_modules/.package-lock.json -exec touch -d 2026-01-01T00:00:00Z {} +
RUN node bin/gatehouse migrate --data /tmp/bundling && rm -rf /tmp/bundling

FROM node:26.10.0-trixie-slim
ENV NODE_ENV=production GATEHOUSE_NODE=/usr/local/bin/node GATEHOUSE_DATA=/data GATEHOUSE_HOST=0.0.0.0
RUN install -d -o node -g node -m 0700 /data && ln -s /srv/gatehouse/bin/gatehouse /usr/local/bin/gatehouse
COPY --from=build /srv/gatehouse /srv/gatehouse
WORKDIR /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.GATEHOUSE_PORT || 8080) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/srv/gatehouse/bin/gatehouse"]
CMD ["serve"]
