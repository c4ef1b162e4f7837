/**
 * The files that pages refer to. They are part of the program, because the build copies nothing; their path holds a hash of
 * their content, so browsers may keep them for good.
 */
import { sha256 } from '../../lib/hash.js';
import { copyScript as copyScriptText } from './copy-script.js';
import { logo as logoText } from './logo.js';
import { approval } from './styles/approval.js';
import { components } from './styles/components.js';
import { dashboard } from './styles/dashboard.js';
import { developer } from './styles/developer.js';
import { forms } from './styles/forms.js';
import { page } from './styles/page.js';
import { tables } from './styles/tables.js';
import { tokens } from './styles/tokens.js';
import { walkthrough } from './styles/walkthrough.js';

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

const asset = (name: string, ending: string, type: string, body: string): Asset => ({
  path: `/assets/${name}.${sha256(body).slice(0, 12)}.${ending}`,
  type,
  body,
});

/** Indentation is for us. */
const compact = (css: string): string => css.replace(/\s*\n\s*/g, '\n').trim();

export const stylesheet = asset(
  'trapeza',
  'css',
  'text/css',
  compact([tokens, page, components, tables, developer, forms, approval, dashboard, walkthrough].join('\n')),
);
export const logo = asset('logo', 'svg', 'image/svg+xml', logoText);
export const copyScript = asset('copy', 'js', 'text/javascript', copyScriptText);

export const assets: readonly Asset[] = [stylesheet, logo, copyScript];
