import type { Sample } from './sample.ts'

export const SITE = 'https://forge.example'
export const repository = { full_name: 'acme/rocket', html_url: `${SITE}/acme/rocket` }
export const sender = { login: 'ann', html_url: `${SITE}/ann` }
export const base = { repository, sender }
export const ANN = `[ann](${SITE}/ann)`

export const pull_request = {
  number: 7,
  title: 'Burn *less*',
  html_url: `${SITE}/acme/rocket/pull/7`,
  body: 'It saves **fuel**.',
  merged: false,
  head: { ref: 'less' },
  base: { ref: 'main' },
}
export const PULL = `[\\#7 Burn \\*less\\*](${SITE}/acme/rocket/pull/7)`
export const issue = { number: 3, title: 'It leaks', html_url: `${SITE}/acme/rocket/issues/3`, body: 'At the seam' }
export const ISSUE = `[\\#3 It leaks](${SITE}/acme/rocket/issues/3)`
export const comment = { html_url: `${SITE}/c/1`, body: 'I see it too' }
export const ZEROS = '0'.repeat(40)

export const push = {
  ...base,
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: `${SITE}/compare`,
  commits: [
    { id: '0123456789abcdef', message: 'Seal it\n\nWith glue.', url: `${SITE}/1` },
    { id: 'fedcba9876543210', message: 'Test it', url: `${SITE}/2` },
  ],
}
export const COMMITS = `\n* Seal it ([0123456789a](${SITE}/1))\n* Test it ([fedcba98765](${SITE}/2))`

export type OfForge = Omit<Sample, 'service' | 'headers'>
