/** Defects in several questions about funds in one call. */
import { type Answer, Refusal } from '../contract.js';
import type { Defect } from './defect.js';

type Replies = Answer<'hasFundsOfMany'>['replies'];

const changing = (change: (replies: Replies) => Replies): Defect['spoil'] => {
  return (core) => ({
    hasFundsOfMany: async (asked) => ({ replies: change((await core.hasFundsOfMany(asked)).replies) }),
  });
};

export const togetherDefects = {
  'replies-mixed-up': {
    title: 'each reply to several questions has the id of another one',
    spoil: changing((replies) =>
      replies.map((reply, at) => ({ ...reply, id: replies[(at + 1) % replies.length]?.id ?? reply.id })),
    ),
  },
  'reply-missing': {
    title: 'a question that is not answered has no reply among the others',
    spoil: changing((replies) => replies.filter(({ status }) => status === 200)),
  },
  'one-fails-all': {
    title: 'one question that is refused fails all of the same call',
    spoil: changing((replies) => {
      if (replies.every(({ status }) => status === 200)) return replies;
      throw new Refusal(500, 'a question was refused');
    }),
  },
} as const satisfies Record<string, Defect>;
