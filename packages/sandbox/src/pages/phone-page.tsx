/** The demo phone: requests of the bank's app, to confirm or refuse. A second window stands for the second device. */

import type { Clock, Db } from 'trapeza/base';
import { type Frame, htmlPage, type Page, seeOther } from 'trapeza/pages';
import { answerOnPhone, type PhoneRequest, phoneRequests } from '../bank/demo-phone.js';
import { DEVICES } from './devices-page.js';

export const PHONE = '/sandbox/phone';

const Request = ({ frame, request }: { readonly frame: Frame; readonly request: PhoneRequest }) => {
  const { challengeId, name, payment } = request;
  return (
    <form class="card stack" method="post" action={frame.href(PHONE)}>
      <h2>{payment ? `Pay ${payment.amount}?` : 'Confirm that it is you?'}</h2>
      <p>
        {name}
        {payment && (
          <>
            <span class="block">
              To <strong>{payment.payee}</strong>
            </span>
            <span class="block number">{payment.account}</span>
          </>
        )}
      </p>
      <input type="hidden" name="challenge" value={challengeId} />
      <p class="actions">
        <button class="button" type="submit" name="answer" value="right">
          Confirm
        </button>
        <button class="button second" type="submit" name="answer" value="refused">
          Refuse
        </button>
      </p>
    </form>
  );
};

const EMPTY =
  'Nothing to confirm. Start an approval as a person who uses the bank’s app, then reload this page.';

export const createPhonePages = ({
  db,
  clock,
  frame,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly frame: () => Frame;
}): readonly Page[] => [
  {
    method: 'GET',
    path: PHONE,
    render: async () => {
      const requests = await phoneRequests(db, clock.now());
      const description = 'Requests from the demo bank’s app, to confirm or refuse.';
      return {
        ...htmlPage({
          frame: frame(),
          title: 'Demo phone',
          description,
          path: PHONE,
          children: (
            <>
              <div class="page-head">
                <h1>Demo phone</h1>
                <p class="lead">{description}</p>
              </div>
              <div class="sections">
                {requests.length === 0 && <p>{EMPTY}</p>}
                <p>
                  <a href={frame().href(DEVICES)}>Add a passkey</a> to confirm with your device instead.
                </p>
                {requests.map((request) => (
                  <Request key={request.challengeId} frame={frame()} request={request} />
                ))}
              </div>
            </>
          ),
        }),
        isPersonal: true,
      };
    },
  },
  {
    method: 'POST',
    path: PHONE,
    render: async ({ form: { challenge = '', answer } }) => {
      if (answer === 'right' || answer === 'refused') await answerOnPhone(db, challenge, answer, clock.now());
      return seeOther(frame().href(PHONE));
    },
  },
];
