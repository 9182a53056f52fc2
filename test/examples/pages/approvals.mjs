/** A user asks, and an approver approves by clicking; nobody approves their own request. */
export async function usePage(page) {
  await page.click('Ask');
  await page.shows('This waits for approval.');
  await page.shows('carl: transfer {"amount":500,"to":"Dora"}');
  page.choose('#user', 'bob');
  await page.click('Approve');
  await page.shows('transfer says: 500 euros transferred to Dora');
  await page.hides('carl: transfer');

  page.choose('#user', 'ann');
  await page.click('Ask');
  await page.shows('ann: transfer');
  await page.click('Approve');
  await page.shows('You may not decide about this tool call.');
  await page.click('Withdraw');
  await page.hides('ann: transfer');
}
