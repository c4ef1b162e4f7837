/** The bank's own look: what a brand may say, how its colours are judged, and which pictures are served. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/app/page-texts.js';
import { ConfigError } from '../../src/config/config.js';
import { brandOf } from '../../src/web/brand/brand.js';
import { type Colours, contrastFaults, styleOf } from '../../src/web/brand/colours.js';
import { contrast } from '../../src/web/brand/contrast.js';
import { pictureOf } from '../../src/web/brand/picture.js';
import { readBrand } from '../../src/web/brand/read-brand.js';

const folder = mkdtempSync(join(tmpdir(), 'trapeza-brand-'));
afterAll(() => rmSync(folder, { recursive: true }));

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path fill="url(#a)" d="M0 0h4"/></svg>';
writeFileSync(join(folder, 'logo.svg'), logo);
writeFileSync(join(folder, 'script.svg'), logo.replace('<path', '<script>1</script><path'));

const read = (brand: unknown) => {
  writeFileSync(join(folder, 'brand.json'), typeof brand === 'string' ? brand : JSON.stringify(brand));
  return readBrand(folder, createCatalogue());
};

const faultsOf = (brand: unknown): readonly string[] => {
  try {
    read(brand);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('the brand of a bank', () => {
  it('is read from its folder', () => {
    const brand = read({
      name: { el: 'Τράπεζα Καλαμάτας', en: 'Bank of Kalamata' },
      logo: 'logo.svg',
      colours: { light: { accent: '#7A1F3D' } },
      help: 'https://kalamata.example/help',
      telephone: '+30 27210 00000',
      sender: 'KALAMATA',
    });
    expect([brand.name('el'), brand.name('en'), brand.name('de')]).toEqual([
      'Τράπεζα Καλαμάτας',
      'Bank of Kalamata',
      'Bank of Kalamata',
    ]);
    expect(brand.logo).toMatchObject({ type: 'image/svg+xml', body: logo });
    expect(brand.address('help', 'en')).toBe('https://kalamata.example/help');
    expect(brand.stylesheet?.body).toContain('--accent: #7a1f3d;');
    expect(brand.sender('en')).toBe('KALAMATA');
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', '[]', /brand\.json must be an object/],
    ['no JSON', '{', /is not JSON/],
    ['no name', {}, /name is missing/],
    [
      'an unknown member',
      { name: 'B', tagline: '' },
      /tagline is unknown; did you mean name\?.*Known: name, logo/,
    ],
    ['American spelling', { name: 'B', colors: {} }, /colors is unknown; did you mean colours\?/],
    ['a language that lacks', { name: { el: 'Τ' } }, /name lacks en/],
    ['an address without TLS', { name: 'B', help: 'http://bank.example' }, /help must be an https address/],
    [
      'script as an address',
      { name: 'B', privacy: 'javascript:alert(1)' },
      /privacy must be an https address/,
    ],
    ['a missing logo', { name: 'B', logo: 'nowhere.svg' }, /logo nowhere\.svg: there is no such file in /],
    ['a logo of elsewhere', { name: 'B', logo: '../../etc/passwd' }, /must be a file beside brand\.json/],
    ['a logo with script', { name: 'B', logo: 'script.svg' }, /logo script\.svg has <script>/],
    ['no colour', { name: 'B', colours: { light: { accent: 'red' } } }, /accent must be a colour as #rrggbb/],
    [
      'a name that turns around',
      { name: 'B\u202eknab' },
      /name must be a text of 1 to 200 visible characters/,
    ],
    ['a long sender', { name: 'B', sender: 'Bank of Kalamata' }, /sender must be 1 to 11 Latin letters/],
    ['no telephone', { name: 'B', telephone: 'call us' }, /telephone must be a number/],
    [
      'an accent that is hard to read',
      { name: 'B', colours: { light: { accent: '#ffcc00' } } },
      /accent #ffcc00 on #f6f8fa is 1\.4 to 1; at least 4\.5 is needed.*#[0-9a-f]{6} would do/,
    ],
    [
      'a dark accent on dark',
      { name: 'B', colours: { dark: { accent: '#123456' } } },
      /colours\.dark\.accent #123456/,
    ],
  ])('refuses %s', (_what, brand, reason) => {
    expect(faultsOf(brand).join('\n')).toMatch(reason);
  });

  it('names every fault at once', () => {
    expect(
      faultsOf({ logo: 'nowhere.svg', telephone: 'x', colours: { light: { accent: '#eeeeee' } } }),
    ).toHaveLength(4);
  });

  it('takes the colour that it proposes', () => {
    const [fault = ''] = contrastFaults({ light: { accent: '#ffcc00' } });
    const proposed = /(#[0-9a-f]{6}) would do/.exec(fault)?.[1] ?? '';
    expect(contrastFaults({ light: { accent: proposed } })).toEqual([]);
  });

  it('reads every text on its ground, whatever band and accent are chosen', () => {
    const levels = ['00', '55', 'aa', 'ff'];
    const all = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
    );
    const bad = all.flatMap((colour) => {
      const accents: Colours = {
        light: { accent: colour, band: colour },
        dark: { accent: colour, band: colour },
      };
      const isReadable = contrastFaults(accents).length === 0;
      const css = styleOf(isReadable ? accents : { light: { band: colour }, dark: { band: colour } });
      return css.split('@media').flatMap((rule) => {
        const token = (name: string): string => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(rule)?.[1] ?? '';
        const pairs = [
          ['on-accent', 'accent', 4.5],
          ['accent', 'accent-soft', 4.5],
          ['on-band', 'band', 4.5],
          ['on-band-quiet', 'band', 4.5],
          ['focus-on-band', 'band', 3],
        ] as const;
        return pairs
          .filter(([text, ground, least]) => contrast(token(text), token(ground)) < least)
          .map((pair) => `${colour}: ${pair.join(' ')}`);
      });
    });
    expect(bad).toEqual([]);
  });

  it('measures contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ffcc00', '#ffffff')).toBeCloseTo(1.5, 1);
  });

  it('has a neutral dress without a name of the product', () => {
    const brand = brandOf({});
    expect(JSON.stringify([brand.name('el'), brand.name('en'), brand.assets])).not.toMatch(/trapeza/i);
  });
});

describe('a picture', () => {
  const svg = (content: string, attributes = '') =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

  it.each<[string, Buffer, RegExp]>([
    ['neither SVG nor PNG', Buffer.from('GIF89a'), /neither SVG nor PNG/],
    ['a page', Buffer.from('<html><svg ></svg></html>'), /does not begin with <svg>/],
    ['script', svg('<script>alert(1)</script>'), /<script>/],
    ['script under another prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), /<s:script>/],
    ['a handler', svg('', 'onload="alert(1)"'), /has script \(onload\)/],
    ['a page inside', svg('<foreignObject/>'), /<foreignObject>/],
    ['an image of elsewhere', svg('<image href="https://evil.example/x.png"/>'), /<image>/],
    ['a shape of elsewhere', svg('<use href="https://evil.example/x.svg#a"/>'), /refers to another file/],
    ['a shape of elsewhere, XLink', svg('<use xlink:href="//evil.example/#a"/>'), /refers to another file/],
    ['a fill of elsewhere', svg('<path fill="url(https://evil.example/#a)"/>'), /refers to another file/],
    ['a style of elsewhere', svg('<style>@import "//evil.example"</style>'), /imports a stylesheet/],
    ['an escaped style', svg('<path style="fill:\\75rl(//evil.example)"/>'), /escaped characters/],
    ['an escaped attribute', svg('<path fill="&#117;rl(//evil.example)"/>'), /has an entity/],
    ['a link', svg('<a href="#x"/>'), /<a>/],
    [
      'an entity',
      Buffer.from('<!DOCTYPE svg [<!ENTITY x "y">]><svg >&x;</svg>'),
      /does not begin with <svg>/,
    ],
    ['a half tag', svg('<path d="M0 0"'), /not well-formed/],
    ['too much', svg(' '.repeat(70_000)), /at most 65536 are allowed/],
  ])('refuses %s', (_what, bytes, reason) => {
    expect(() => pictureOf(bytes)).toThrow(reason);
  });

  it('refuses a PNG that is too large on the screen, takes others', () => {
    const png = (width: number): Buffer => {
      const bytes = Buffer.alloc(40);
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes);
      bytes.write('IHDR', 12, 'latin1');
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(10, 20);
      return bytes;
    };
    expect(() => pictureOf(png(100_000))).toThrow(/at most 2048 by 2048/);
    expect(pictureOf(png(300)).type).toBe('image/png');
  });
});
