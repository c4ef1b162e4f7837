/** The HTML of our own pages as a tree. It reads what the renderer writes, not what others may send. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const voidTags: ReadonlySet<string> = new Set(['br', 'wbr', 'img', 'input', 'hr', 'link', 'meta']);
const PART = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/g;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

const decoded = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp|#39);/g, (_match, name: string) => entities[name] ?? '');

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      decoded(value),
    ]),
  );

export const treeOf = (html: string): Element => {
  const root: Element = { tag: 'body', attributes: {}, children: [] };
  const open = [root];
  for (const [, end, tag, attributes = '', text] of html.matchAll(PART)) {
    const here = open.at(-1) ?? root;
    if (tag === undefined) here.children.push(decoded(text ?? ''));
    else if (end) open.pop();
    else {
      const element: Element = { tag, attributes: attributesOf(attributes), children: [] };
      here.children.push(element);
      if (!voidTags.has(tag)) open.push(element);
    }
  }
  return root;
};

/** What is there for a reader of the page alone: the ways to other pages, and forms. */
const forPage: ReadonlySet<string> = new Set([
  'nav',
  'form',
  'label',
  'legend',
  'caption',
  'button',
  'input',
]);

export const isContent = (node: Element | string): boolean =>
  typeof node === 'string' || !forPage.has(node.tag);

/** A word of its own, whatever stands beside it. */
export const isBadge = ({ attributes }: Element): boolean => /\bbadge\b/.test(attributes.class ?? '');

export const innerText = (node: Element | string): string => {
  if (typeof node === 'string') return node;
  return node.tag === 'br' ? '\n' : node.children.map(innerText).join('');
};

/** The words of a page, without code. */
export const plainText = (node: Element | string): string => {
  if (typeof node === 'string') return node;
  if (!isContent(node) || node.tag === 'pre') return '';
  const text = node.children.map(plainText).join('');
  return ['code', 'a', 'span', 'strong'].includes(node.tag) && !isBadge(node) ? text : ` ${text} `;
};
