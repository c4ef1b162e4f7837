/** Colours as `#rrggbb`: how well one is read on another (WCAG 2.2, 1.4.3), and the nearest that is read well enough. */

/** Text, also on buttons. */
export const TEXT_CONTRAST = 4.5;
/** Outlines of controls and of what has the focus. */
export const CONTROL_CONTRAST = 3;

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(colour)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** From 1, the same, to 21, black on white. */
export const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

/** `share` of the first colour, the rest of the second. */
export const mix = (one: string, other: string, share: number): string => {
  const base = channels(other);
  const mixed = channels(one).map((value, at) => Math.round(value * share + (base[at] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

/** The least of its contrasts on several grounds, with the ground. */
export const worstOn = (
  colour: string,
  grounds: readonly string[],
): { readonly ground: string; readonly ratio: number } => {
  const [worst] = grounds
    .map((ground) => ({ ground, ratio: contrast(colour, ground) }))
    .sort((a, b) => a.ratio - b.ratio);
  return worst ?? { ground: colour, ratio: 1 };
};

const STEPS = 50;

/** The colour itself, or the nearest on the way to `towards` that has the contrast on all grounds. */
export const readable = (
  colour: string,
  grounds: readonly string[],
  towards: string,
  least = TEXT_CONTRAST,
): string => {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(towards, colour, step / STEPS);
    if (worstOn(candidate, grounds).ratio >= least) return candidate;
  }
  return towards;
};

/** Cut, never rounded up: 4.49 must not read as 4.5. */
export const ratioText = (ratio: number): string => String(Math.floor(ratio * 10) / 10);
