/** How often an attack is tried: a sample in `npm test`, all of it in `npm run prove -- attacks`. */
export const attackVolume = (sample: number, full: number): number =>
  process.env.TEST_ATTACKS === 'full' ? full : sample;
