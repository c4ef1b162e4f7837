/**
 * The tokens of the look: one deep Aegean blue, green and red for meaning only, an 8 px grid, light and dark. Every pair of
 * text and ground that is used together keeps a contrast of at least 4.5:1.
 */
export const tokens = `
:root {
  color-scheme: light dark;

  --ground: #f6f8fa;
  --paper: #ffffff;
  --ink: #14212b;
  --ink-quiet: #4b5c69;
  --line: #d6dfe6;
  --line-strong: #74889a;

  --accent: #0b4a75;
  --accent-strong: #07304d;
  --accent-soft: #e7f0f7;
  --on-accent: #ffffff;
  --band: #0b4a75;
  --band-deep: #08395b;
  --on-band: #ffffff;
  --on-band-quiet: #cfe3f2;

  --good: #14643a;
  --good-soft: #e4f4ea;
  --bad: #a01d1d;
  --bad-soft: #fdecea;
  --notice: #704700;
  --notice-soft: #fff3d9;

  --code-ground: #f0f4f7;
  --focus: #c26a00;
  --focus-on-band: #ffd166;

  --gap-1: 8px;
  --gap-2: 16px;
  --gap-3: 24px;
  --gap-4: 32px;
  --gap-5: 48px;
  --gap-6: 64px;

  --radius: 10px;
  --radius-small: 6px;
  --target: 44px;
  --width-flow: 640px;
  --width-page: 1100px;

  --font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  --font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0c151c;
    --paper: #121e27;
    --ink: #e7edf2;
    --ink-quiet: #a7b6c2;
    --line: #283946;
    --line-strong: #7d92a3;

    --accent: #82c3ee;
    --accent-strong: #b4dcf7;
    --accent-soft: #153044;
    --on-accent: #06202f;
    --band: #0a3350;
    --band-deep: #08283f;
    --on-band-quiet: #b9d5e8;

    --good: #83d8a5;
    --good-soft: #12301f;
    --bad: #ffa39b;
    --bad-soft: #3b1917;
    --notice: #f3c873;
    --notice-soft: #33270d;

    --code-ground: #0e1820;
    --focus: #ffc65c;
  }
}
`;
