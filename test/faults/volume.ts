/** How often a fault is tried: a sample in `npm test`, all of it in `npm run prove -- faults`. */
export const faultVolume = (sample: number, full: number): number =>
  process.env.TEST_FAULTS === 'full' ? full : sample;
