// A small database of addresses for a test, in the format that all makers of such databases share.
import ipaddr from 'ipaddr.js';

type Value = string | number | { readonly [name: string]: Value };

type Node = [left: Way, right: Way];
/** To another node, to a piece of data, or nowhere. */
type Way = { readonly node: number } | { readonly data: number } | undefined;

/** By network, `203.0.113.0/24`, what is known of it. Of two, none lies in the other. */
export function mmdb(type: string, known: Readonly<Record<string, Value>>): Buffer {
  const nodes: Node[] = [[undefined, undefined]];
  const pieces: Buffer[] = [];
  for (const [network, value] of Object.entries(known)) {
    insert(nodes, bitsOf(network), pieces.length);
    pieces.push(written(value));
  }
  const at = pieces.map((_, index) => Buffer.concat(pieces.slice(0, index)).length);
  const record = (way: Way): number => {
    if (way === undefined) return nodes.length;
    return 'node' in way ? way.node : nodes.length + 16 + at[way.data]!;
  };
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [index, ways] of nodes.entries())
    for (const [side, way] of ways.entries()) tree.writeUInt32BE(record(way), index * 8 + side * 4);
  const about = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: type,
    description: {},
    ip_version: 6,
    node_count: nodes.length,
    record_size: 32,
  };
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...pieces, marker, written(about)]);
}

/** In a tree for both families IPv4 lies at its beginning. */
function bitsOf(network: string): number[] {
  const [address, prefix] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  const whole = [...Array<number>(16 - bytes.length).fill(0), ...bytes];
  const bits = whole.flatMap((byte) => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1));
  return bits.slice(0, prefix + 8 * (16 - bytes.length));
}

function insert(nodes: Node[], bits: readonly number[], data: number): void {
  let node = nodes[0]!;
  for (const bit of bits.slice(0, -1)) {
    const way = node[bit];
    const next = way !== undefined && 'node' in way ? way.node : nodes.push([undefined, undefined]) - 1;
    node[bit] = { node: next };
    node = nodes[next]!;
  }
  node[bits.at(-1)!] = { data };
}

function written(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'object') {
    const members = Object.entries(value).flatMap(([name, member]) => [written(name), written(member)]);
    return Buffer.concat([control(7, members.length / 2), ...members]);
  }
  const bytes = Buffer.alloc(Number.isInteger(value) && value >= 0 ? 4 : 8);
  if (bytes.length === 4) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(bytes.length === 4 ? 6 : 3, bytes.length), bytes]);
}

const control = (type: number, size: number): Buffer =>
  Buffer.from(size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29]);
