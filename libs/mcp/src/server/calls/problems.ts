/** Makes something of each item, and collects the messages of those that fail. */
export function problemsIn<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): { readonly made: Made[]; readonly problems: string[] } {
  const made: Made[] = [];
  const problems: string[] = [];
  for (const item of items) {
    try {
      made.push(make(item));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return { made, problems };
}
