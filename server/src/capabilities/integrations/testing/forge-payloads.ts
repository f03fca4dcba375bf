import type { Sample } from './sample.ts'

export const SITE = 'https://forge.example'
export const repository = { full_name: 'acme/rocket', html_url: `${SITE}/acme/rocket` }
export const sender = { login: 'ann', html_url: `${SITE}/ann` }
export const BASE_PAYLOAD = { repository, sender }
export const ANN_LINK = `[ann](${SITE}/ann)`

export const pull_request = {
  number: 7,
  title: 'Burn *less*',
  html_url: `${SITE}/acme/rocket/pull/7`,
  body: 'It saves **fuel**.',
  merged: false,
  head: { ref: 'less' },
  base: { ref: 'main' },
}
export const PULL_LINK = `[\\#7 Burn \\*less\\*](${SITE}/acme/rocket/pull/7)`
export const issue = { number: 3, title: 'It leaks', html_url: `${SITE}/acme/rocket/issues/3`, body: 'At the seam' }
export const ISSUE_LINK = `[\\#3 It leaks](${SITE}/acme/rocket/issues/3)`
export const comment = { html_url: `${SITE}/c/1`, body: 'I see it too' }
export const ZERO_HASH = '0'.repeat(40)

export const push = {
  ...BASE_PAYLOAD,
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
export const COMMIT_LIST = `\n* Seal it ([0123456789a](${SITE}/1))\n* Test it ([fedcba98765](${SITE}/2))`

export type ForgeSample = Omit<Sample, 'service' | 'headers'>

/** Requests that all forges send. */
export const COMMON_SAMPLES: readonly ForgeSample[] = [
  {
    what: 'push',
    body: push,
    topic: 'rocket / main',
    content: `${ANN_LINK} pushed [2 commits](${SITE}/compare) to \`main\`.${COMMIT_LIST}`,
  },
  {
    what: 'push',
    body: { ...push, forced: true, commits: push.commits.slice(0, 1) },
    topic: 'rocket / main',
    content: `${ANN_LINK} force-pushed [1 commit](${SITE}/compare) to \`main\`.\n* Seal it ([0123456789a](${SITE}/1))`,
  },
  {
    what: 'push',
    body: { ...push, ref: 'refs/heads/gone', after: ZERO_HASH, deleted: true, commits: [] },
    topic: 'rocket / gone',
    content: `${ANN_LINK} deleted the branch \`gone\`.`,
  },
  {
    what: 'push',
    body: { ...push, ref: 'refs/tags/v1', before: ZERO_HASH, created: true, commits: [] },
    topic: 'rocket',
    content: `${ANN_LINK} pushed the tag \`v1\`.`,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'opened', pull_request },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} opened pull request ${PULL_LINK} (\`less\` into \`main\`).\n\n\`\`\`quote\nIt saves **fuel**.\n\`\`\``,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'closed', pull_request: { ...pull_request, merged: true } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} merged pull request ${PULL_LINK}.`,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'review_requested', pull_request, requested_reviewer: { login: 'bob' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} asked bob to review pull request ${PULL_LINK}.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'opened', issue },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} opened issue ${ISSUE_LINK}.\n\n\`\`\`quote\nAt the seam\n\`\`\``,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'labeled', issue, label: { name: 'bug' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} labeled issue ${ISSUE_LINK} as \`bug\`.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'assigned', issue, assignee: { login: 'bob' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} assigned bob to issue ${ISSUE_LINK}.`,
  },
  {
    what: 'issues',
    body: {
      ...BASE_PAYLOAD,
      action: 'milestoned',
      issue: { ...issue, pull_request: {} },
      milestone: { title: 'Launch' },
    },
    topic: 'rocket / PR #3 It leaks',
    content: `${ANN_LINK} added pull request ${ISSUE_LINK} to the milestone Launch.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'edited', issue, changes: { title: { from: 'It *drips*' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} edited issue ${ISSUE_LINK}, which was called It \\*drips\\*.`,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'edited', pull_request, changes: { body: { from: '' }, title: { from: 'Burn' } } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} edited pull request ${PULL_LINK}, which was called Burn.\n\n\`\`\`quote\nIt saves **fuel**.\n\`\`\``,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'ready_for_review', pull_request },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} marked pull request ${PULL_LINK} as ready for review.`,
  },
  {
    what: 'issue_comment',
    body: { ...BASE_PAYLOAD, action: 'created', issue, comment },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} wrote [a comment](${SITE}/c/1) on issue ${ISSUE_LINK}:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'issue_comment',
    body: { ...BASE_PAYLOAD, action: 'deleted', issue: { ...issue, pull_request: {} }, comment },
    topic: 'rocket / PR #3 It leaks',
    content: `${ANN_LINK} deleted a comment on pull request ${ISSUE_LINK}.`,
  },
  {
    what: 'create',
    body: { ...BASE_PAYLOAD, ref: 'less', ref_type: 'branch' },
    topic: 'rocket / less',
    content: `${ANN_LINK} created the branch \`less\`.`,
  },
  {
    what: 'delete',
    body: { ...BASE_PAYLOAD, ref: 'v1', ref_type: 'tag' },
    topic: 'rocket',
    content: `${ANN_LINK} deleted the tag \`v1\`.`,
  },
  {
    what: 'release',
    body: {
      ...BASE_PAYLOAD,
      action: 'published',
      release: { tag_name: 'v1', name: 'One', html_url: `${SITE}/r`, body: 'New' },
    },
    topic: 'rocket',
    content: `${ANN_LINK} published the release [One](${SITE}/r).\n\n\`\`\`quote\nNew\n\`\`\``,
  },
  {
    what: 'fork',
    body: { ...BASE_PAYLOAD, forkee: { full_name: 'bob/rocket', html_url: `${SITE}/bob/rocket` } },
    topic: 'rocket',
    content: `${ANN_LINK} forked it to [bob\\/rocket](${SITE}/bob/rocket).`,
  },
]

export const samplesFor = (service: string, header: string, samples: readonly ForgeSample[]): Sample[] =>
  samples.map((sample) => ({ ...sample, service, headers: { [header]: sample.what } }))
