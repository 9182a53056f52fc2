import { checkSingleToolAdvisor } from '../../advisor/advisor-chain.js';
import { problemsOf } from '../bootstrap-problems.js';
import type { AiApplication } from './ai-application.js';
import { knownClientsText } from './known-clients-text.js';

/** Advisors join clients that are there, and no client has two tool advisors. */
export function checkClientAdvisors(application: AiApplication): readonly string[] {
  const { advisors, clientNames, namedClients, madeClients } = application;
  const joining = clientNames.map((name) => advisors.of(name));
  const given = madeClients.map((client) => client.advisors);
  const lost = advisors.joined.filter(({ clientName }) => !clientNames.includes(clientName));
  return [
    ...[...joining, ...given].flatMap((list) => problemsOf(() => checkSingleToolAdvisor(list))),
    ...lost.map(
      ({ clientName, advisorName }) =>
        `${advisorName} has @RegisterAdvisor({ clients: ['${clientName}'] }), but there is no such client. ` +
        knownClientsText(clientName, namedClients),
    ),
  ];
}
