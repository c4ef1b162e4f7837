/** What a page must satisfy before a browser sees it: well-formed, one heading, a language, nothing the policy would block. */
const voidElements = new Set(['meta', 'link', 'img', 'br', 'wbr', 'hr', 'input', 'source']);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>/g;

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

const attributesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]));

export const tagsOf = (html: string): Tag[] =>
  [...html.matchAll(TAG)].map(([, end, name = '', attributes = '']) => ({
    name,
    isEnd: end === '/',
    attributes: attributesOf(attributes),
  }));

export const linksOf = (html: string): string[] =>
  tagsOf(html).flatMap(({ attributes }) => attributes.get('href') ?? attributes.get('src') ?? []);

const nestingFaults = (tags: readonly Tag[]): string[] => {
  const open: string[] = [];
  for (const { name, isEnd } of tags) {
    if (voidElements.has(name)) continue;
    if (!isEnd) open.push(name);
    else if (open.pop() !== name) return [`</${name}> closes something else`];
  }
  return open.map((name) => `<${name}> is never closed`);
};

const headingFaults = (tags: readonly Tag[]): string[] => {
  const levels = tags
    .filter(({ name, isEnd }) => !isEnd && /^h[1-6]$/.test(name))
    .map(({ name }) => Number(name[1]));
  return [
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['there must be exactly one h1']),
    ...levels.flatMap((level, index) =>
      level > (levels[index - 1] ?? 0) + 1 ? [`h${level} skips a level`] : [],
    ),
  ];
};

const idFaults = (tags: readonly Tag[]): string[] => {
  const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? []);
  const named = tags.flatMap(({ attributes }) => [
    ...(attributes.get('aria-labelledby') ?? '').split(' '),
    attributes.get('href')?.startsWith('#') ? (attributes.get('href') ?? '').slice(1) : '',
  ]);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id ${id} is used twice`),
    ...named.filter((id) => id !== '' && !ids.includes(id)).map((id) => `nothing has the id ${id}`),
  ];
};

const policyFaults = (html: string, tags: readonly Tag[]): string[] => [
  ...tags.flatMap(({ name, attributes }) =>
    [...attributes.keys()]
      .filter((attribute) => attribute === 'style' || attribute.startsWith('on'))
      .map((attribute) => `<${name}> has the inline attribute ${attribute}`),
  ),
  ...(tags.some(({ name }) => name === 'style') ? ['there is an inline stylesheet'] : []),
  ...(/<script[^>]*>[^<]/.test(html) ? ['there is an inline script'] : []),
  ...tags
    .filter(({ name, attributes }) => name === 'img' && !attributes.has('alt'))
    .map(() => 'an image has no alternative text'),
];

export const htmlFaults = (html: string): string[] => {
  const tags = tagsOf(html);
  return [
    ...(html.startsWith('<!doctype html><html lang="') ? [] : ['doctype or language is missing']),
    ...(/<title>[^<]+<\/title>/.test(html) ? [] : ['the title is missing']),
    ...(/<meta name="viewport"/.test(html) ? [] : ['the viewport is missing']),
    ...nestingFaults(tags),
    ...headingFaults(tags),
    ...idFaults(tags),
    ...policyFaults(html, tags),
  ];
};
