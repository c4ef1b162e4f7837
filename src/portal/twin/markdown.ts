/** A page as Markdown, made of the very page, so that the two never differ. */
import { headingId } from './heading-id.js';
import { type Element, innerText, isBadge, isContent } from './html-tree.js';

type Node = Element | string;
/** The address of a link, as it is written into the text. */
type Address = (href: string) => string;

const inlineTags: ReadonlySet<string> = new Set([
  'a',
  'code',
  'span',
  'strong',
  'em',
  'br',
  'wbr',
  'mark',
  'img',
]);
const isInline = (node: Node): boolean => typeof node === 'string' || inlineTags.has(node.tag);

/** For links to what has no heading of that name. */
const anchor = (id: string | undefined): string => (id === undefined ? '' : `<a id="${id}"></a>`);

const inline = (node: Node, address: Address): string => {
  if (typeof node === 'string') return node.replace(/\s+/g, ' ');
  if (!isContent(node)) return '';
  if (node.tag === 'code') return `${anchor(node.attributes.id)}\`${innerText(node)}\``;
  const inner = node.children.map((child) => inline(child, address)).join(isInline(node) ? '' : ' ');
  if (node.tag === 'a') return `[${inner.trim()}](${address(node.attributes.href ?? '')})`;
  if (node.tag === 'strong') return `**${inner}**`;
  if (isBadge(node)) return ` ${inner} `;
  return node.tag === 'br' ? ' ' : inner;
};

const line = (nodes: readonly Node[], address: Address): string =>
  nodes
    .map((node) => inline(node, address))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

const elementsIn = (node: Element, tag: string): readonly Element[] =>
  node.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.tag === tag ? [child] : elementsIn(child, tag);
  });

const tableLines = (table: Element, address: Address): string => {
  const rows = elementsIn(table, 'tr').map(({ children }) =>
    children.map((cell) => line([cell], address).replaceAll('|', '\\|')),
  );
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${(rows[0] ?? []).map(() => '---|').join('')}`, ...body].join('\n');
};

const item = (node: Element, mark: string, address: Address): string => {
  const lines = blocks(node.children, address).join('\n\n').split('\n');
  return lines.map((text, index) => (index === 0 ? `${mark} ${text}` : text && `  ${text}`)).join('\n');
};

const definitions = (list: Element, address: Address): string =>
  list.children
    .filter((row): row is Element => typeof row !== 'string')
    .map((row) => {
      const [name = '', ...value] = row.children.map((child) => line([child], address));
      return `- **${name}**: ${value.join(' ')}`;
    })
    .join('\n');

/** A section's id is that of its heading, whose own one then only names the section. */
const headingText = (node: Element, address: Address): string => {
  const { id } = node.attributes;
  return `${id === headingId(innerText(node)) ? '' : anchor(id)}${line(node.children, address)}`;
};

const withSectionId = ({
  attributes: { id, 'aria-labelledby': name },
  children,
}: Element): readonly Node[] =>
  id === undefined || name === undefined
    ? children
    : children.map((child) =>
        typeof child !== 'string' && child.attributes.id === name ? { ...child, attributes: { id } } : child,
      );

const blockOf = (node: Element, address: Address): readonly string[] => {
  const { tag, children } = node;
  const heading = /^h([1-6])$/.exec(tag);
  if (heading) return [`${'#'.repeat(Number(heading[1]))} ${headingText(node, address)}`];
  if (tag === 'pre') return [`\`\`\`\n${innerText(node).trimEnd()}\n\`\`\``];
  if (tag === 'summary' || tag === 'figcaption') return [`**${line(children, address)}**`];
  if (tag === 'table') return [tableLines(node, address)];
  if (tag === 'dl') return [definitions(node, address)];
  if (tag === 'ul' || tag === 'ol') {
    const items = elementsIn(node, 'li').map((each) => item(each, tag === 'ol' ? '1.' : '-', address));
    return [items.join('\n')];
  }
  return blocks(withSectionId(node), address);
};

/** Paragraphs, lists, tables and code; neighbours that stand in a line are one paragraph. */
const blocks = (nodes: readonly Node[], address: Address): readonly string[] => {
  const found: string[] = [];
  let run: Node[] = [];
  const end = (): void => {
    const text = line(run, address);
    if (text !== '') found.push(text);
    run = [];
  };
  for (const node of nodes.filter(isContent)) {
    if (typeof node === 'string' || isInline(node)) run.push(node);
    else {
      end();
      found.push(...blockOf(node, address));
    }
  }
  end();
  return found;
};

export const markdownOf = (page: Element, address: Address): string =>
  `${blocks(page.children, address).join('\n\n')}\n`;
