import { isToolAdvisor } from '../../advisor/advisor.js';
import { problemsOf } from '../bootstrap-problems.js';
import type { AiApplication } from './ai-application.js';

/** Every client that brings no tool loop of its own has one, made as it is configured. */
export function checkToolLoops(application: AiApplication): readonly string[] {
  const { loopSources, enabledClients, madeClients, clientFactory } = application;
  const without = madeClients.filter(({ advisors }) => !advisors.some(isToolAdvisor));
  return [
    ...loopSources.check(enabledClients),
    ...without.flatMap(({ name }) => problemsOf(() => clientFactory?.loopOf(name))),
  ];
}
