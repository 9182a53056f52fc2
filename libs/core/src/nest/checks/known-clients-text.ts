import { closestMatch } from 'leven';

/** The named client that somebody may have meant, else those that there are. */
export function knownClientsText(given: string, namedClients: readonly string[]): string {
  const known = [...new Set(namedClients)];
  const nearest = closestMatch(given, known, { maxDistance: Math.ceil(given.length / 2) });
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  return known.length > 0
    ? `Known: ${known.join(', ')}.`
    : 'None has a name: give one with AiModule.forFeature([{ name }]).';
}
