/** `trapeza tpp policy`: how far the requests of one third party must be signed. */
import { Argument, type Command } from 'commander';
import { signaturePolicies } from '../../model/signature-policy.js';
import { print } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

export const addPolicyCommand = (tpp: Command): void => {
  const policies = new Argument('<policy>', 'its own policy, or the one for everybody');
  withReason(tpp.command('policy'))
    .description('set how far the requests of a third party must be signed; acts within five seconds')
    .argument('<id>', 'id of the third party')
    .addArgument(policies.choices([...signaturePolicies, 'default']))
    .action((id: string, wanted: string, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        const policy = signaturePolicies.find((each) => each === wanted);
        await admin.setSignaturePolicy(id, { policy });
        print(
          policy
            ? `Signatures of third party ${id}: ${policy}, unless TRAPEZA_SIGNATURE_POLICY demands more.`
            : `Signatures of third party ${id}: as TRAPEZA_SIGNATURE_POLICY says.`,
        );
      }, flags),
    );
};
