/** The colours of a bank: what it chose, checked against the grounds they stand on, and the tokens that follow from it. */
import { tokens } from '../assets/index.js';
import { CONTROL_CONTRAST, contrast, mix, ratioText, readable, TEXT_CONTRAST, worstOn } from './contrast.js';

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Links, buttons and marks; and the band at the head of the page. */
export type SchemeColours = Readonly<Partial<Record<'accent' | 'band', string>>>;
export type Colours = Readonly<Partial<Record<Scheme, SchemeColours>>>;

/** What a scheme does not name follows from the other one. */
const accentIn = (scheme: Scheme, { light, dark }: Colours): string => {
  const named = scheme === 'light' ? light?.accent : dark?.accent;
  if (named) return named;
  const { paper, ground } = tokens[scheme];
  const towards = scheme === 'light' ? '#000000' : '#ffffff';
  return readable(light?.accent ?? dark?.accent ?? tokens[scheme].accent, [paper, ground], towards, 7);
};

const bandIn = (scheme: Scheme, colours: Colours): string =>
  scheme === 'light'
    ? (colours.light?.band ?? accentIn('light', colours))
    : (colours.dark?.band ?? mix(bandIn('light', colours), '#000000', 0.7));

const firstReadable = (candidates: readonly string[], ground: string, least: number): string =>
  candidates.find((each) => contrast(each, ground) >= least) ?? '#000000';

const tokensOf = (scheme: Scheme, colours: Colours): Readonly<Record<string, string>> => {
  const { paper, ground, ink } = tokens[scheme];
  const accent = accentIn(scheme, colours);
  const band = bandIn(scheme, colours);
  const onBand = firstReadable(['#ffffff', tokens.light.ink], band, TEXT_CONTRAST);
  // As soft as the accent is still read on it.
  const soft = [0.12, 0.08, 0.04].map((share) => mix(accent, paper, share));
  return {
    accent,
    'accent-strong': mix(accent, ink, 0.6),
    'accent-soft': soft.find((each) => contrast(accent, each) >= TEXT_CONTRAST) ?? ground,
    'on-accent': firstReadable(['#ffffff', tokens.dark.ground], accent, TEXT_CONTRAST),
    band,
    'band-deep': mix(band, '#000000', 0.8),
    'on-band': onBand,
    'on-band-quiet': [0.8, 0.9]
      .map((share) => mix(onBand, band, share))
      .concat(onBand)
      .find((each) => contrast(each, band) >= TEXT_CONTRAST) as string,
    'focus-on-band': firstReadable(['#ffd166', '#ffffff', tokens.light.ink], band, CONTROL_CONTRAST),
  };
};

const ruleOf = (scheme: Scheme, colours: Colours): string =>
  `:root {\n${Object.entries(tokensOf(scheme, colours))
    .map(([name, value]) => `--${name}: ${value};`)
    .join('\n')}\n}`;

/** Comes after our own stylesheet and sets its tokens anew. */
export const styleOf = (colours: Colours): string =>
  `${ruleOf('light', colours)}\n@media (prefers-color-scheme: dark) {\n${ruleOf('dark', colours)}\n}\n`;

export interface Contrast {
  readonly path: string;
  readonly colour: string;
  readonly ground: string;
  readonly ratio: number;
  /** A colour that would do, if this one does not. */
  readonly instead?: string;
}

/** How well the accents are read. A band needs no check: there is a readable colour for every one. */
export const contrastsOf = (colours: Colours): readonly Contrast[] =>
  schemes.flatMap((scheme) => {
    const accent = colours[scheme]?.accent;
    if (!accent) return [];
    const { paper, ground } = tokens[scheme];
    const worst = worstOn(accent, [paper, ground]);
    const found = { path: `colours.${scheme}.accent`, colour: accent, ...worst };
    if (worst.ratio >= TEXT_CONTRAST) return [found];
    const towards = scheme === 'light' ? '#000000' : '#ffffff';
    return [{ ...found, instead: readable(accent, [paper, ground], towards) }];
  });

export const contrastText = ({ colour, ground, ratio }: Contrast): string =>
  `${colour} on ${ground} is ${ratioText(ratio)} to 1; at least ${TEXT_CONTRAST} is needed`;

export const contrastFaults = (colours: Colours): readonly string[] =>
  contrastsOf(colours).flatMap((each) =>
    each.instead
      ? [
          `${each.path} ${contrastText(each)}, because links and buttons have this colour. ${each.instead} would do.`,
        ]
      : [],
  );
