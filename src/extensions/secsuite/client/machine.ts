// The addresses of this machine, as they are while the site starts.
import { networkInterfaces } from 'node:os';

export const machineAddresses = (): string[] => [
  ...new Set([
    '127.0.0.1',
    '::1',
    ...Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
  ]),
];
