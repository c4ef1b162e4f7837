/** The dress of the bank on the pages for its account holders: name, logo, colours, addresses, and who sends its messages. */
import { type Asset, asset } from '../assets/index.js';
import { PageTexts } from '../texts/catalogue.js';
import { type Colours, styleOf } from './colours.js';
import type { Picture } from './picture.js';

/** One text for all languages, or one for each. */
export type Localized = string | Readonly<Record<string, string>>;

export const links = ['help', 'privacy', 'imprint', 'accessibility'] as const;
export type BrandLink = (typeof links)[number];

/** What a bank says of itself; the files it names have been read. */
export interface BrandSource {
  readonly name?: Localized | undefined;
  readonly logo?: Picture | undefined;
  /** The name is part of the drawing, so it does not stand beside it. */
  readonly logoShowsName?: boolean | undefined;
  readonly favicon?: Picture | undefined;
  readonly colours?: Colours | undefined;
  readonly addresses?: Readonly<Partial<Record<BrandLink, Localized>>>;
  readonly telephone?: string | undefined;
  readonly sender?: string | undefined;
  readonly texts?: PageTexts;
}

export interface Brand {
  name(lang: string): string;
  readonly logo: Asset;
  readonly logoShowsName: boolean;
  readonly favicon: Asset;
  /** Colours of its own, if it has any. */
  readonly stylesheet: Asset | undefined;
  address(link: BrandLink, lang: string): string | undefined;
  readonly telephone: string | undefined;
  /** Who the messages with codes come from, as phones show it. */
  sender(lang: string): string;
  /** What the pages say, and in which languages. */
  readonly texts: PageTexts;
  readonly colours: Colours | undefined;
  /** What the bank has not said of itself, by the names of brand.json. */
  readonly missing: readonly string[];
  readonly assets: readonly Asset[];
}

const textIn = (text: Localized | undefined, lang: string): string | undefined =>
  typeof text === 'object' ? (text[lang] ?? text.en ?? Object.values(text)[0]) : text;

/** A bank that has not named itself. */
const nameless: Localized = { el: 'Η τράπεζά σας', en: 'Your bank' };

/** A temple front: any bank. */
const neutralLogo: Picture = {
  type: 'image/svg+xml',
  ending: 'svg',
  body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="14" fill="#f6f8fa"/>
  <path d="M32 11 54 23v4H10v-4z" fill="#3d5161"/>
  <path d="M15 31h6v16h-6zM29 31h6v16h-6zM43 31h6v16h-6zM10 50h44v5H10z" fill="#3d5161"/>
</svg>
`,
};

const wishes = ['logo', 'favicon', 'colours', 'telephone', 'sender'] as const;

const pictureAsset = (name: string, { ending, type, body }: Picture): Asset =>
  asset(name, ending, type, body);

export const brandOf = (source: BrandSource): Brand => {
  const { name = nameless, telephone, addresses = {}, colours } = source;
  const logo = pictureAsset('bank-logo', source.logo ?? neutralLogo);
  const favicon = source.favicon ? pictureAsset('bank-icon', source.favicon) : logo;
  const stylesheet = colours && asset('bank', 'css', 'text/css', styleOf(colours));
  return {
    name: (lang) => textIn(name, lang) ?? '',
    logo,
    logoShowsName: source.logoShowsName ?? false,
    favicon,
    stylesheet,
    address: (link, lang) => textIn(addresses[link], lang),
    telephone,
    sender: (lang) => source.sender ?? textIn(name, lang) ?? '',
    texts: source.texts ?? new PageTexts({}, {}),
    colours,
    missing: [
      ...wishes.filter((each) => source[each] === undefined),
      ...links.filter((each) => addresses[each] === undefined),
    ],
    assets: [...new Set([logo, favicon, ...(stylesheet ? [stylesheet] : [])])],
  };
};

export const neutralBrand = (name?: string): Brand => brandOf({ name });
