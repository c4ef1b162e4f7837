/** The time of this machine, in milliseconds. */
export const now = (): number => Date.now();

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
