/** The names of other kinds that extensions hold: of hosts, addresses on the web, directories. */
import { type Der, DerFault, only, plain, wrapped } from '../der/read.js';
import { ia5Of } from '../der/values.js';
import { type Name, readName } from './name.js';

export type GeneralName =
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly value: string }
  | { readonly kind: 'directory'; readonly name: Name }
  | { readonly kind: 'ip'; readonly bytes: Buffer }
  | { readonly kind: 'other' };

const MAX_TEXT = 2048;

const textKinds = { 1: 'email', 2: 'dns', 6: 'uri' } as const;

export const readGeneralName = (der: Der): GeneralName => {
  for (const [number, kind] of Object.entries(textKinds)) {
    if (der.tag !== plain(Number(number))) continue;
    if (der.content.length > MAX_TEXT) throw new DerFault('text too long');
    return { kind, value: ia5Of(der) };
  }
  if (der.tag === wrapped(4)) return { kind: 'directory', name: readName(only(der)) };
  if (der.tag === plain(7)) return { kind: 'ip', bytes: der.content };
  return { kind: 'other' };
};

/** The web addresses among them. */
export const urisOf = (names: readonly Der[]): string[] =>
  names.map(readGeneralName).flatMap((name) => (name.kind === 'uri' ? [name.value] : []));
