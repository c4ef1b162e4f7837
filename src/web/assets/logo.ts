/**
 * The mark: a table with a coin on it. *Trapeza* is Greek for table, the money changers' bench, and so for bank. The same
 * drawing heads the pages, the browser tab and the README (`docs/images/logo.svg`).
 */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Trapeza">
  <rect width="64" height="64" rx="14" fill="#0b4a75"/>
  <circle cx="32" cy="22" r="9.5" fill="#f4c95d"/>
  <circle cx="32" cy="22" r="6" fill="none" stroke="#a87a12" stroke-width="1.6"/>
  <path d="M32 18.6v6.8M29.4 18.6h5.2" fill="none" stroke="#a87a12" stroke-width="1.6" stroke-linecap="round"/>
  <rect x="10" y="33.5" width="44" height="6" rx="3" fill="#fff"/>
  <path d="M17.5 39.5c0 6 3.2 7.2 1 14M46.5 39.5c0 6-3.2 7.2-1 14" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
  <path d="M21 45.5h22" fill="none" stroke="#8cc3e8" stroke-width="2.4" stroke-linecap="round"/>
</svg>
`;
