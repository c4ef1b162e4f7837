/** Reads the folder of a brand: `brand.json` and the files it names. Every fault is found at once, with what would do. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ConfigError } from '../../config/config.js';
import { distance } from '../../lib/setting.js';
import { type Catalogue, isLocale, type PageTexts, type TextFile } from '../texts/catalogue.js';
import { type Brand, type BrandSource, brandOf, type Localized, links } from './brand.js';
import { type Colours, contrastFaults, schemes } from './colours.js';
import { type Picture, pictureOf } from './picture.js';

const BRAND_FILE = 'brand.json';
const TEXTS = 'texts';
const MOST_TEXT = 200;

/** Collects what is wrong, and reads on. */
class Reading {
  readonly faults: string[] = [];
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  refuse(fault: string): undefined {
    this.faults.push(fault);
    return undefined;
  }

  /** An object with no other members than the known ones. */
  object(value: unknown, path: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
    if (value === undefined) return {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.refuse(`${path || BRAND_FILE} must be an object.`);
      return {};
    }
    for (const name of known ? Object.keys(value) : []) {
      if (!known || known.includes(name)) continue;
      const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
      this.refuse(
        `${path ? `${path}.` : ''}${name.slice(0, 40)} is unknown; did you mean ${nearest}? Known: ${known.join(', ')}.`,
      );
    }
    return value as Readonly<Record<string, unknown>>;
  }

  text(value: unknown, path: string): string | undefined {
    if (value === undefined) return undefined;
    const isText = typeof value === 'string' && value.trim() !== '' && value.length <= MOST_TEXT;
    // Characters that cannot be seen could make a name look like another.
    if (!isText || /[\p{Cc}\p{Cf}]/u.test(value))
      return this.refuse(`${path} must be a text of 1 to ${MOST_TEXT} visible characters.`);
    return value.trim();
  }

  localized(
    value: unknown,
    path: string,
    read: (value: unknown, path: string) => string | undefined,
  ): Localized | undefined {
    if (typeof value !== 'object' || value === null) return read(value, path);
    const found: Record<string, string> = {};
    for (const [lang, each] of Object.entries(value)) {
      if (!/^[a-z]{2,3}$/.test(lang)) {
        this.refuse(
          `${path}.${lang.slice(0, 40)} is not a language; write el, en or another code of ISO 639.`,
        );
        continue;
      }
      const text = read(each, `${path}.${lang}`);
      if (text !== undefined) found[lang] = text;
    }
    const missing = ['el', 'en'].filter((lang) => !Object.hasOwn(value, lang));
    if (missing.length > 0) this.refuse(`${path} lacks ${missing.join(' and ')}.`);
    return found;
  }

  address(value: unknown, path: string): string | undefined {
    const text = this.text(value, path);
    if (text === undefined || (URL.canParse(text) && /^https:$/.test(new URL(text).protocol))) return text;
    return this.refuse(`${path} must be an https address, such as https://bank.example/help.`);
  }

  colour(value: unknown, path: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
    return this.refuse(`${path} must be a colour as #rrggbb, such as #0b4a75.`);
  }

  picture(value: unknown, path: string): Picture | undefined {
    const name = this.text(value, path);
    if (name === undefined) return undefined;
    const file = resolve(this.folder, name);
    if (!file.startsWith(this.folder + sep))
      return this.refuse(`${path} ${name} must be a file beside ${BRAND_FILE}.`);
    const bytes = readIfThere(file);
    if (!bytes) return this.refuse(`${path} ${name}: there is no such file in ${this.folder}.`);
    try {
      return pictureOf(bytes);
    } catch (error) {
      return this.refuse(`${path} ${name} ${(error as Error).message}.`);
    }
  }
}

const readIfThere = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

const coloursIn = (reading: Reading, value: unknown): Colours | undefined => {
  if (value === undefined) return undefined;
  const given = reading.object(value, 'colours', schemes);
  const entries = schemes.map((scheme) => {
    const { accent, band } = reading.object(given[scheme], `colours.${scheme}`, ['accent', 'band']);
    const path = `colours.${scheme}`;
    return [
      scheme,
      { accent: reading.colour(accent, `${path}.accent`), band: reading.colour(band, `${path}.band`) },
    ];
  });
  const colours = Object.fromEntries(entries) as Colours;
  reading.faults.push(...contrastFaults(colours));
  return colours;
};

export const brandMembers: readonly string[] = [
  'name',
  'logo',
  'logoShowsName',
  'favicon',
  'colours',
  ...links,
  'telephone',
  'sender',
];

const telephoneIn = (reading: Reading, value: unknown): string | undefined => {
  const text = reading.text(value, 'telephone');
  if (text === undefined || /^\+?[\d ()/-]{3,30}$/.test(text)) return text;
  return reading.refuse('telephone must be a number as people dial it, such as +30 210 000 0000.');
};

/** What phones show as the sender of a message: 11 characters at most (GSM 03.38), so more would be cut. */
const senderIn = (reading: Reading, value: unknown): string | undefined => {
  const text = reading.text(value, 'sender');
  if (text === undefined || /^[A-Za-z0-9 ]{1,11}$/.test(text)) return text;
  return reading.refuse(
    'sender must be 1 to 11 Latin letters, digits or blanks, as messages to phones show it.',
  );
};

const sourceIn = (reading: Reading, json: unknown, bankName: string | undefined): BrandSource => {
  const given = reading.object(json, '', brandMembers);
  const text = reading.text.bind(reading);
  const address = reading.address.bind(reading);
  const name = reading.localized(given.name, 'name', text) ?? bankName;
  if (name === undefined && given.name === undefined)
    reading.refuse('name is missing: what account holders call the bank.');
  if (given.logoShowsName !== undefined && typeof given.logoShowsName !== 'boolean')
    reading.refuse('logoShowsName must be true or false.');
  return {
    name,
    logo: reading.picture(given.logo, 'logo'),
    logoShowsName: given.logoShowsName === true && given.logo !== undefined,
    favicon: reading.picture(given.favicon, 'favicon'),
    colours: coloursIn(reading, given.colours),
    addresses: Object.fromEntries(
      links.flatMap((link) => {
        const found = reading.localized(given[link], link, address);
        return found === undefined ? [] : [[link, found]];
      }),
    ),
    telephone: telephoneIn(reading, given.telephone),
    sender: senderIn(reading, given.sender),
  };
};

/** A folder with `brand.json`, or that file. */
const brandFile = (path: string): string => {
  const isFolder =
    statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? !basename(path).endsWith('.json');
  return resolve(isFolder ? join(path, BRAND_FILE) : path);
};

const parsed = (file: string): unknown => {
  const bytes = readIfThere(file);
  if (!bytes) throw new ConfigError([`TRAPEZA_BRAND: there is no file ${file}. docs/brand.md shows one.`]);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new ConfigError([`TRAPEZA_BRAND: ${file} is not JSON: ${(error as Error).message}.`]);
  }
};

/** `texts/el.json`, `texts/de.json` …: texts by key. */
const textsIn = (reading: Reading, catalogue: Catalogue): PageTexts => {
  const folder = join(reading.folder, TEXTS);
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
  const files = names.flatMap((name): (readonly [string, TextFile])[] => {
    const [, lang] = /^([a-z]{2,3})\.json$/.exec(name) ?? [];
    if (!lang || !isLocale(lang)) {
      reading.refuse(`${TEXTS}/${name} must be named by a language, such as de.json.`);
      return [];
    }
    const file = reading.object(parsed(join(folder, name)), `${TEXTS}/${name}`) as TextFile;
    for (const fault of catalogue.faults(lang, file)) reading.refuse(`${TEXTS}/${name}: ${fault}`);
    return [[lang, file]];
  });
  return catalogue.texts(Object.fromEntries(reading.faults.length > 0 ? [] : files));
};

export const readBrand = (path: string, catalogue: Catalogue, bankName?: string): Brand => {
  const file = brandFile(path);
  const reading = new Reading(dirname(file));
  const source = sourceIn(reading, parsed(file), bankName);
  const texts = textsIn(reading, catalogue);
  if (reading.faults.length > 0)
    throw new ConfigError(reading.faults.map((fault) => `TRAPEZA_BRAND: ${fault}`));
  return brandOf({ ...source, texts });
};
