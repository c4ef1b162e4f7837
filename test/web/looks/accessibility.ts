/**
 * What a screen reader is given, from Chromium's accessibility tree: landmarks, headings, names, language, and an error summary that
 * is read first and leads to its fields. Rules for every page, no pictures of a tree.
 */
import type { Page } from 'playwright-core';

interface Value {
  readonly value?: unknown;
}
interface AxNode {
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
}

interface Thing {
  readonly name: string;
  readonly does: string;
  /** All that its row says, if it is in one. */
  readonly around?: string | undefined;
}

const controls = [
  'link',
  'button',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'DisclosureTriangle',
];
const pictures = ['image', 'img'];

const roleOf = ({ role }: AxNode): string => String(role?.value ?? '');
const nameOf = ({ name }: AxNode): string => String(name?.value ?? '').trim();
const propertyOf = ({ properties = [] }: AxNode, wanted: string): unknown =>
  properties.find(({ name }) => name === wanted)?.value.value;

const headingFaults = (nodes: readonly AxNode[]): string[] => {
  const headings = nodes
    .filter((node) => roleOf(node) === 'heading')
    .map((node) => ({ level: Number(propertyOf(node, 'level')), name: nameOf(node) }));
  const tops = headings.filter(({ level }) => level === 1);
  return [
    ...(tops.length === 1 ? [] : [`${tops.length} headings of level 1`]),
    ...headings
      .filter(({ name }) => name === '')
      .map(({ level }) => `a heading of level ${level} without a name`),
    ...headings.flatMap(({ level, name }, at) => {
      const before = headings[at - 1]?.level ?? 2;
      return level > before + 1 ? [`“${name}” jumps from level ${before} to ${level}`] : [];
    }),
  ];
};

/** Two things with one name that do different things, although their looks differ. */
const alike = (things: readonly Thing[], what: string): string[] => {
  const names = [...new Set(things.map(({ name }) => name))];
  return names.flatMap((name) => {
    const all = things.filter((thing) => thing.name === name);
    const isOne = new Set(all.map(({ does }) => does)).size === 1;
    const looksAlike = all.length > 1 && new Set(all.map(({ around }) => around ?? '')).size === 1;
    return isOne || (looksAlike && all[0]?.around !== undefined)
      ? []
      : [`${all.length} ${what} are named “${name}”`];
  });
};

const nameFaults = (
  nodes: readonly AxNode[],
  rows: Readonly<Record<string, string>>,
  isOfBank: boolean,
): string[] => {
  const nameless = nodes.filter(
    (node) => [...controls, ...pictures].includes(roleOf(node)) && nameOf(node) === '',
  );
  const links = nodes
    .filter((node) => roleOf(node) === 'link')
    .map((node) => ({ name: nameOf(node), does: String(propertyOf(node, 'url')) }))
    .map((link) => ({ ...link, around: rows[link.does] }));
  const regions = ['navigation', 'region', 'search', 'complementary'];
  const landmarks = nodes
    .filter((node) => regions.includes(roleOf(node)))
    .map((node, at) => ({ name: `${roleOf(node)} ${nameOf(node)}`, does: String(at) }));
  return [
    ...nameless.map((node) => `a ${roleOf(node)} without a name`),
    // The lists of the reference name a page as often as they find it.
    ...(isOfBank ? alike(links, 'links') : []),
    ...alike(landmarks, 'landmarks'),
  ];
};

/** In the browser: the focus is on the summary, and each of its lines leads to a field that says the same. */
const FOCUSED = `(() => {
  const summary = document.querySelector('.error-summary');
  return !summary || document.activeElement === summary;
})()`;
const SUMMARY = `(() => {
  const summary = document.querySelector('.error-summary');
  if (!summary) return [];
  const faults = document.activeElement === summary ? [] : ['the error summary has not the focus'];
  for (const link of summary.querySelectorAll('a')) {
    const field = document.getElementById(link.hash.slice(1));
    if (!field) { faults.push('“' + link.textContent + '” leads nowhere'); continue; }
    const described = [field, field.closest('fieldset')].flatMap((each) => (each?.getAttribute('aria-describedby') ?? '').split(' ')).map((id) => document.getElementById(id)?.textContent ?? '');
    if (!described.some((text) => text.includes(link.textContent))) faults.push('#' + field.id + ' is not described by “' + link.textContent + '”');
  }
  return faults;
})()`;

/** In the browser: the text of the row of each link, by its address. */
const ROWS = `Object.fromEntries([...document.querySelectorAll('li a, tr a')].map((each) => [each.href, each.closest('li, tr').innerText]))`;

const OPEN_ALL = 'document.querySelectorAll("details").forEach((each) => { each.open = true; })';

export const accessibilityFaults = async (page: Page, lang: string): Promise<string[]> => {
  // The browser gives it when it paints; if it never does, the summary says so.
  await page.waitForFunction(FOCUSED, undefined, { timeout: 60_000 }).catch(() => undefined);
  const summary = await page.evaluate<string[]>(SUMMARY);
  await page.evaluate(OPEN_ALL);
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AxNode[] };
  await session.detach();
  const heard = nodes.filter(({ ignored }) => !ignored);
  const mains = heard.filter((node) => roleOf(node) === 'main').length;
  const [language, title] = await page.evaluate<[string, string]>(
    '[document.documentElement.lang, document.title]',
  );
  return [
    ...(mains === 1 ? [] : [`${mains} main landmarks`]),
    ...(language === lang ? [] : [`the page is in ${language}, not in ${lang}`]),
    ...(title.trim() === '' ? ['no title'] : []),
    ...headingFaults(heard),
    ...nameFaults(heard, await page.evaluate(ROWS), (await page.locator('.mark.bank').count()) > 0),
    ...summary,
  ];
};
