/** The files that pages refer to. Their path holds a hash of their content, so browsers may keep them for good. */
import { readFileSync } from 'node:fs';
import { sha256 } from '../../lib/hash.js';
import { styleFile } from '../../lib/own-file.js';
import { consoleScript as consoleScriptText } from './console-script.js';
import { copyScript as copyScriptText } from './copy-script.js';
import { logo as logoText } from './logo.js';
import { passkeyScript as passkeyScriptText } from './passkey-script.js';

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

export const asset = (name: string, ending: string, type: string, body: string | Buffer): Asset => ({
  path: `/assets/${name}.${sha256(body).slice(0, 12)}.${ending}`,
  type,
  body,
});

/** In the order of the cascade. */
const styles = [
  'tokens',
  'page',
  'components',
  'tables',
  'landing',
  'developer',
  'docs',
  'guides',
  'forms',
  'approval',
  'dashboard',
  'walkthrough',
  'portal',
  'atms',
  'statistics',
  'third-party',
];
const readStyle = (name: string): string => readFileSync(styleFile(name), 'utf8');

/** Without comments and indentation. */
const compact = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

/** The colours of the light and of the dark scheme; what a bank may change is checked against the rest. */
const tokenNames = ['paper', 'ground', 'ink', 'accent', 'band'] as const;
const tokensIn = (css: string): Readonly<Record<(typeof tokenNames)[number], string>> => {
  const found = tokenNames.map((name) => [name, new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(css)?.[1]]);
  return Object.fromEntries(found);
};
const [lightTokens = '', darkTokens = ''] = readStyle('tokens').split('prefers-color-scheme: dark');
export const tokens = { light: tokensIn(lightTokens), dark: tokensIn(darkTokens) } as const;

export const stylesheet = asset('pages', 'css', 'text/css', compact(styles.map(readStyle).join('\n')));
export const logo = asset('logo', 'svg', 'image/svg+xml', logoText);
export const copyScript = asset('copy', 'js', 'text/javascript', copyScriptText);
export const consoleScript = asset('console', 'js', 'text/javascript', consoleScriptText);

export const passkeyScript = asset('passkey', 'js', 'text/javascript', passkeyScriptText);

export const assets: readonly Asset[] = [stylesheet, logo, copyScript, consoleScript, passkeyScript];
