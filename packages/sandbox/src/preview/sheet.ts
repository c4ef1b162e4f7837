/** The pages as files that need no service, and a sheet that shows them side by side. */

export interface ShownPage {
  readonly name: string;
  /** Below the folder of the preview, without the ending of the scheme. */
  readonly file: string;
}

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

export const fileOf = ({ file }: ShownPage, scheme: Scheme): string => `pages/${file}-${scheme}.html`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A file cannot ask for a scheme, so each has stylesheets of its own. */
export const styleIn = (css: string, scheme: Scheme): string =>
  css
    .replaceAll('(prefers-color-scheme: dark)', scheme === 'dark' ? 'all' : 'not all')
    .replace('color-scheme: light dark', `color-scheme: ${scheme}`);

export const assetName = (path: string, scheme: Scheme): string =>
  path.endsWith('.css') ? path.slice(1).replace(/css$/, `${scheme}.css`) : path.slice(1);

/** What stands on a page of the demo bank alone: the phone with the code. */
const PHONE = /<section class="phone".*?<\/section>/s;

const staticAddress = (value: string, scheme: Scheme): string => {
  if (value.startsWith('/assets/')) return `../../${assetName(value, scheme)}`;
  return value.startsWith('#') ? value : '#';
};

/** Links and forms lead nowhere: there is no service behind the files. */
export const staticPage = (html: string, scheme: Scheme): string =>
  html
    .replace(PHONE, '')
    .replace('code-entry with-phone', 'code-entry')
    .replace(/<meta http-equiv="refresh"[^>]*>/g, '')
    .replace(/<script\b.*?<\/script>/gs, '')
    .replaceAll('<form ', '<form onsubmit="return false" ')
    .replace(
      /\s(href|src|action|formaction)="([^"]*)"/gi,
      (_whole, name: string, value: string) => ` ${name}="${staticAddress(value, scheme)}"`,
    );

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1440px;padding:24px;background:#e9ecef;color:#1b1f23}
a{color:#0b4a75}h1{margin:0 0 8px}h2{font-size:18px;margin:40px 0 12px}nav ul{columns:16rem;padding-left:20px}
.views{display:grid;grid-template-columns:375px 375px 640px;gap:16px 24px}figure{margin:0}figcaption{font-size:14px;color:#4a5560}
iframe{border:0;background:#fff;display:block}.phone{grid-row:span 2}.phone iframe{width:375px;height:856px}
.wide{width:640px;height:400px;overflow:hidden}.wide iframe{width:1280px;height:800px;transform:scale(.5);transform-origin:0 0}`;

const viewsOf = (page: ShownPage): string => {
  const frame = (width: number, scheme: Scheme): string =>
    `<iframe src="${fileOf(page, scheme)}" title="${escaped(page.name)}, ${width} px, ${scheme}" loading="lazy"></iframe>`;
  const phones = schemes.map(
    (scheme) =>
      `<figure class="phone">${frame(375, scheme)}<figcaption>375 px, ${scheme}</figcaption></figure>`,
  );
  const desktops = schemes.map(
    (scheme) =>
      `<figure><div class="wide">${frame(1280, scheme)}</div><figcaption>1280 px, ${scheme} · <a href="${fileOf(page, scheme)}">in full</a></figcaption></figure>`,
  );
  return [...phones, ...desktops].join('\n');
};

export interface Sheet {
  readonly bank: string;
  readonly lang: string;
  readonly languages: readonly string[];
  readonly pages: readonly ShownPage[];
}

export const sheetName = (lang: string): string => `index.${lang}.html`;

export const sheetOf = ({ bank, lang, languages, pages }: Sheet): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(bank)} (${lang})</title>
<style>${style}</style></head><body>
<h1>${escaped(bank)}</h1>
<p>${languages.map((each) => (each === lang ? `<strong>${each}</strong>` : `<a href="${sheetName(each)}">${each}</a>`)).join(' · ')}</p>
<nav aria-label="Pages"><ul>${pages.map(({ name, file }) => `<li><a href="#${file}">${escaped(name)}</a></li>`).join('')}</ul></nav>
${pages.map((page) => `<section id="${page.file}"><h2>${escaped(page.name)}</h2><div class="views">${viewsOf(page)}</div></section>`).join('\n')}
</body></html>
`;
