/** The dress of the demo bank, so that its pages look like a bank's and not like the product. */
import { type Brand, brandOf, pictureOf } from 'trapeza/pages';
import { demoBankName } from './name.js';

/** Sails before a wind: the Meltemi blows over the Aegean in summer. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="32" fill="#fff7e6"/>
  <path d="M30 10v32H12C13 28 20 17 30 10z" fill="#0d6e6e"/>
  <path d="M34 18c9 5 15 13 17 24H34z" fill="#e0833a"/>
  <path d="M11 47h42c-3 5-8 8-14 8H25c-6 0-11-3-14-8z" fill="#0a4c50"/>
</svg>
`;

export const demoBrand: Brand = brandOf({
  name: demoBankName,
  logo: pictureOf(Buffer.from(logo)),
  colours: { light: { accent: '#0a5c60', band: '#0a4c50' }, dark: { accent: '#7fd6d1', band: '#0b3a3d' } },
  addresses: {
    help: 'https://meltemi.example/help',
    privacy: 'https://meltemi.example/privacy',
    imprint: 'https://meltemi.example/imprint',
  },
  telephone: '+30 210 000 0000',
  sender: 'MELTEMI',
});
