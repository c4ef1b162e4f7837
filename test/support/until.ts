/** Waits for what another process or thread does. How long that takes on a busy machine says nothing: only the limit of the test ends it. */
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 20;

export const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await pause(PAUSE_MS);
};
