/** What one person has proposed and another one confirms or refuses. */
import { isSameName, type Proposal } from '../acts/proposals.js';
import { actText } from '../acts/texts.js';
import { actNamed } from '../admin/derived.js';
import { ActForm, consolePage } from '../console/frame.js';
import { timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Summary } from '../web/components/blocks.js';
import type { ConsoleParts } from './parts.js';
import { mayDecide } from './roles.js';

const Card = ({ visit, proposal }: { readonly visit: Visit; readonly proposal: Proposal }) => {
  const texts = visit.messages.proposals;
  const { id, act, subject, input, reason, proposedBy, proposedAt } = proposal;
  const found = actNamed(act);
  const isOwn = isSameName(proposedBy, visit.operator.name);
  return (
    <section class="stack" aria-labelledby={`proposal-${id}`}>
      <h2 id={`proposal-${id}`}>{found && actText(found.texts, visit.lang, `${act}.proposed`)}</h2>
      <Summary
        facts={[
          { name: texts.about, value: <code class="small">{subject}</code> },
          { name: texts.input, value: <code class="small">{input}</code> },
          { name: texts.by, value: proposedBy },
          { name: texts.at, value: timeText(visit, proposedAt) },
          { name: visit.messages.reason, value: reason ?? '–' },
        ]}
      />
      {isOwn ? (
        <p>{texts.own}</p>
      ) : (
        <ActForm
          visit={visit}
          path={`/proposals/${id}/confirm`}
          id={`confirm-${id}`}
          heading={texts.confirm}
          submit={texts.confirm}
        />
      )}
      <ActForm
        visit={visit}
        path={`/proposals/${id}/refuse`}
        id={`refuse-${id}`}
        heading={texts.refuse}
        submit={texts.refuse}
      />
    </section>
  );
};

export const showProposals = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.proposals;
  const open = (await admin.proposals()).filter(({ act }) => mayDecide(visit.operator.role, act));
  return consolePage(visit, {
    title: texts.heading,
    path: '/proposals',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        {open.length === 0 ? (
          <p>{texts.none}</p>
        ) : (
          open.map((proposal) => <Card key={proposal.id} visit={visit} proposal={proposal} />)
        )}
      </>
    ),
  });
};
