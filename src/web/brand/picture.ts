/**
 * The pictures of a bank, which we serve as our own. A browser runs no script in an image, and our policy forbids it when the
 * file is opened by itself; what could contain one is refused all the same.
 */

const MOST_BYTES = 64 * 1024;
const MOST_PIXELS = 2048;

export interface Picture {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly ending: 'svg' | 'png';
  readonly body: string | Buffer;
}

const shapes =
  'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style stop linearGradient radialGradient clipPath mask pattern';
const allowed: readonly string[] = shapes.split(' ');

const TAG = /<\/?([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g;
const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Of a text that sets styles. A backslash or an entity could hide the rest. */
const styleFault = (text: string): string | undefined => {
  if (/@import/i.test(text)) return 'imports a stylesheet';
  if (/url\(\s*(?!['"]?#)/i.test(text)) return 'refers to another file';
  return /\\|&/.test(text) ? 'has escaped characters in a style' : undefined;
};

const attributeFault = (name: string, value: string): string | undefined => {
  if (/^on/i.test(name)) return `has script (${name})`;
  if (/^(xlink:)?(href|src)$/i.test(name) && !value.startsWith('#'))
    return `refers to another file (${name})`;
  if (/&(?!(amp|lt|gt|quot|apos);)/.test(value)) return `has an entity (${name})`;
  // Any attribute of a shape can be a style: fill="url(…)".
  return name === 'style' || value.includes('(') ? styleFault(value) : undefined;
};

const svgFault = (text: string): string | undefined => {
  const content = text
    .replace(/^\uFEFF/, '')
    .replace(/^<\?xml [^<>]*\?>/, '')
    .replace(/<!--(?:(?!--).)*-->/gs, '')
    .trim();
  if (!/^<svg[\s>]/.test(content)) return 'does not begin with <svg>';
  for (const [, name = '', attributes = ''] of content.matchAll(TAG)) {
    if (!allowed.includes(name))
      return `has <${name}>, which a logo may not: save it as plain SVG with its texts as paths`;
    for (const [, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      const fault = attributeFault(attribute, double ?? single ?? '');
      if (fault) return fault;
    }
  }
  const styles = [...content.matchAll(/<style[^<>]*>([^<]*)/g)].map(([, style = '']) => styleFault(style));
  // What is left of a well-formed drawing without its tags is text.
  return styles.find(Boolean) ?? (/[<>]/.test(content.replace(TAG, '')) ? 'is not well-formed' : undefined);
};

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const isPng = (bytes: Buffer): boolean =>
  bytes.length > 24 && bytes.subarray(0, 8).equals(PNG) && bytes.toString('latin1', 12, 16) === 'IHDR';

/** Throws what is wrong with it, to follow the name of the file. */
export const pictureOf = (bytes: Buffer): Picture => {
  if (bytes.length > MOST_BYTES)
    throw new Error(
      `has ${bytes.length} bytes; at most ${MOST_BYTES} are allowed, because every page shows it`,
    );
  if (isPng(bytes)) {
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    if (width > MOST_PIXELS || height > MOST_PIXELS || width === 0 || height === 0)
      throw new Error(
        `is ${width} by ${height} pixels; at most ${MOST_PIXELS} by ${MOST_PIXELS} are allowed`,
      );
    return { type: 'image/png', ending: 'png', body: bytes };
  }
  const text = bytes.toString('utf8');
  if (!/<svg[\s>]/.test(text)) throw new Error('is neither SVG nor PNG');
  const fault = svgFault(text);
  if (fault) throw new Error(fault);
  return { type: 'image/svg+xml', ending: 'svg', body: text };
};
