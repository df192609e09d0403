// A record as it is shown inside of other pages: small, framed by anybody, and telling how high it is.
import type { PageAnswer } from '#kernel/http/page.ts';
import { urlBelow } from '#lib/addresses.ts';
import { html, markup } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import { pictureHtml, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import { type } from './frame.ts';
import { headed } from './lists.ts';
import { look, policyOf } from './look.ts';
import { titleOf } from './navigation.ts';
import { type Ground, ours } from './needs.ts';

/** Tells the page around it how high it is, and where a click wants to lead; by the secret that this page gave it. */
const script = `
(function () {
  var secret = (/[#&?]secret=([A-Za-z0-9]{10})(?:&|$)/.exec(location.hash) || [])[1];
  if (!secret || parent === window) return;
  function tell(message, value) { parent.postMessage({ message: message, value: value, secret: secret }, '*'); }
  function height() { tell('height', Math.ceil(document.body.getBoundingClientRect().height)); }
  addEventListener('load', height);
  addEventListener('resize', height);
  document.addEventListener('click', function (event) {
    var link = event.target.closest && event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    tell('link', link.href);
  });
})();
`;

export async function embedPage(ground: Ground, post: Post, address: string, url: string): Promise<PageAnswer> {
  const { content, title: name, house } = ground;
  const id = post.type === 'attachment' ? post.id : post.featured_media;
  const [pictures, prose, said] = await Promise.all([
    shownPictures({ ...ground, media: content.media }, [id], 'medium'),
    content.rendering.prose(),
    post.password === '' ? content.comments.list({ ...approved, posts: [post.id] }) : { total: 0 },
  ]);
  const picture = pictures.get(id);
  const body = html`<!doctype html>
<html lang="${house.name.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(ground, post.title)} · ${name}</title>
<link rel="canonical" href="${address}">
<style>${look}</style>
</head>
<body>
<main class="small">
${picture && html`<div class="lead">${markup(pictureHtml(picture, 'size-medium'))}</div>\n`}<h1><a href="${address}">${headed(ground, post.title)}</a></h1>
${markup(balanced(prose.excerpt(post)))}
<p class="about"><a href="${ground.url}/">${name}</a>${
    said.total > 0 &&
    html` · <a href="${address}#comments"${ours(ground)}>${said.total === 1 ? 'One comment' : `${said.total} comments`}</a>`
  } · <a href="${address}"${ours(ground)}>Link to share</a></p>
</main>
<script>${markup(script)}</script>
</body>
</html>
`;
  return {
    status: 200,
    type,
    body: String(body),
    anybodys: `${ground.url}${url}` === urlBelow(address, 'embed/'),
    headers: {
      'Content-Security-Policy': policyOf({ scripts: [script], framed: true }),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Cache-Control': 'no-cache',
      'X-Robots-Tag': 'noindex',
      Link: `<${address}>; rel="canonical"`,
    },
  };
}

const approved = {
  statuses: ['approved'],
  type: 'comment',
  order: 'asc',
  orderBy: 'date_gmt',
  limit: 1,
  offset: 0,
} as const;
