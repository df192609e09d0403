// What of HTML may be written by people who may not write all of it.

export interface Allowed {
  /** The elements, and the attributes of each. */
  readonly elements: ReadonlyMap<string, ReadonlySet<string>>;
  /** Attributes that every element may have; data and labels for screen readers among them. */
  readonly everywhere: ReadonlySet<string>;
}

const listOf = (elements: Readonly<Record<string, string>>): Allowed['elements'] =>
  new Map(Object.entries(elements).map(([name, attributes]) => [name, new Set(attributes.split(' '))]));

/** Those that need no attribute of their own. */
const plain = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, '']));

const cell = 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width';
const column = 'align char charoff span valign width';
const rows = 'align char charoff valign';

export const ofPosts: Allowed = {
  everywhere: new Set(['class', 'id', 'style', 'title', 'role', 'lang', 'dir', 'hidden', 'tabindex']),
  elements: listOf({
    ...plain('abbr acronym address b bdi bdo big center cite code dd dfn dl dt em fieldset figcaption figure'),
    ...plain('footer header hgroup i kbd legend main mark nav picture rb rp rt rtc ruby s samp search section small'),
    ...plain('span strike strong sub summary sup tt u var wbr'),
    a: 'href rel rev name target download hreflang type',
    area: 'alt coords href nohref shape target',
    article: 'align',
    aside: 'align',
    audio: 'autoplay controls loop muted preload src',
    blockquote: 'cite',
    br: 'clear',
    button: 'disabled type value',
    caption: 'align',
    col: column,
    colgroup: column,
    del: 'cite datetime',
    details: 'name open',
    div: 'align',
    font: 'color face size',
    h1: 'align',
    h2: 'align',
    h3: 'align',
    h4: 'align',
    h5: 'align',
    h6: 'align',
    hr: 'align noshade size width',
    img: 'align alt border decoding fetchpriority height hspace loading longdesc sizes src srcset usemap vspace width',
    ins: 'cite datetime',
    label: 'for',
    li: 'align value',
    map: 'name',
    menu: 'type',
    object: 'data height type width',
    ol: 'reversed start type',
    p: 'align',
    pre: 'width',
    q: 'cite',
    source: 'height media sizes src srcset type width',
    table: 'align bgcolor border cellpadding cellspacing rules summary width',
    tbody: rows,
    td: cell,
    tfoot: rows,
    th: cell,
    thead: rows,
    time: 'datetime',
    tr: `${rows} bgcolor`,
    track: 'default kind label src srclang',
    ul: 'type',
    video: 'autoplay controls height loop muted playsinline poster preload src width',
  }),
};

/** In comments, and in titles. */
export const ofComments: Allowed = {
  everywhere: new Set(),
  elements: listOf({
    ...plain('acronym b cite code em i s strike strong'),
    a: 'href title',
    abbr: 'title',
    blockquote: 'cite',
    del: 'datetime',
    q: 'cite',
  }),
};

/** In captions of galleries, and the texts around them. */
export const ofCaptions: Allowed = {
  everywhere: new Set(),
  elements: listOf({ ...plain('br hr em strong p del strike'), a: 'href title class target' }),
};

/** Attributes that hold an address. */
export const addresses: ReadonlySet<string> = new Set(['href', 'src', 'cite', 'data', 'longdesc', 'poster']);
