/** Observes requests, and keeps those of applications for their developers if the request log is on. */
import type { Observer } from '../observe/observer.js';
import { RequestRecorder } from '../observe/request-log/recorder.js';
import type { AccessRooms } from './access.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';

export const keepsCalls = ({ config, isTest }: Pick<Foundation, 'config' | 'isTest'>): boolean =>
  (config.requestLog ?? (isTest ? 'on' : 'off')) === 'on';

export const openObserver = (base: Foundation, { directory }: AccessRooms, closers: Closers): Observer => {
  const { observer, config } = base;
  if (!keepsCalls(base)) return observer;
  const recorder = new RequestRecorder({
    ...base,
    timeZone: config.timeZone,
    ownerOf: ({ headers }) => {
      const key = headers['ocp-apim-subscription-key'];
      return typeof key === 'string' ? directory.recall(key)?.clientId : undefined;
    },
  });
  closers.add(recorder, (each) => each.close());
  return {
    finished(facts) {
      observer.finished(facts);
      recorder.record(facts);
    },
  };
};
