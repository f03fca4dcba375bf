import {
  COMMON,
  ANN,
  base,
  COMMITS,
  issue,
  ISSUE,
  PULL,
  pull_request,
  push,
  SITE,
  ZEROS,
  requestsOf,
  type OfForge,
} from './forge-payloads.ts'
import { hmac, type Sample, type Signer } from './sample.ts'

const OWN: readonly OfForge[] = [
  {
    what: 'push',
    body: {
      ...push,
      before: ZEROS,
      compare: undefined,
      compare_url: `${SITE}/acme/rocket/compare/${ZEROS}...b`,
      total_commits: 7,
    },
    topic: 'rocket / main',
    content: `${ANN} pushed 7 commits to the new branch \`main\`.${COMMITS}\n* … and 5 more`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'closed', issue: { ...issue, html_url: undefined } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} closed issue \\#3 It leaks.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'assigned', issue: { ...issue, assignee: { login: 'ben', full_name: 'Ben' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} assigned ben to issue ${ISSUE}.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'milestoned', issue: { ...issue, milestone: { title: '1.0' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} put issue ${ISSUE} into the milestone 1\\.0.`,
  },
  {
    what: 'pull_request',
    body: {
      ...base,
      action: 'opened',
      pull_request: {
        ...pull_request,
        body: '',
        head: undefined,
        base: undefined,
        head_branch: 'less',
        base_branch: 'main',
      },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} opened pull request ${PULL} (\`less\` into \`main\`).`,
  },
  {
    what: 'pull_request_approved',
    body: { ...base, action: 'reviewed', pull_request, review: { type: 'pull_request_review_approved', content: '' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} approved pull request ${PULL}.`,
  },
  {
    what: 'pull_request_rejected',
    body: {
      ...base,
      action: 'reviewed',
      pull_request,
      review: { type: 'pull_request_review_rejected', content: 'Not *yet*' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} asked for changes in pull request ${PULL}.\n\n\`\`\`quote\nNot *yet*\n\`\`\``,
  },
  {
    what: 'pull_request_comment',
    body: { ...base, action: 'reviewed', pull_request, review: { type: 'pull_request_review_comment', content: 'Hm' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} reviewed pull request ${PULL}.\n\n\`\`\`quote\nHm\n\`\`\``,
  },
  {
    what: 'issues',
    body: { ...base, action: 'label_updated', issue },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} changed the labels of issue ${ISSUE}.`,
  },
  {
    what: 'wiki',
    body: { ...base, action: 'edited', page: 'How to fly', comment: 'Clearer' },
    topic: 'rocket / wiki',
    content: `${ANN} edited the wiki page [How to fly](${SITE}/acme/rocket/wiki/How%20to%20fly).\n\n\`\`\`quote\nClearer\n\`\`\``,
  },
  {
    what: 'repository',
    body: { ...base, action: 'created' },
    topic: 'rocket',
    content: `${ANN} created the repository [acme\\/rocket](${SITE}/acme/rocket).`,
  },
]

export const SAMPLES: readonly Sample[] = requestsOf('gitea', 'x-gitea-event', [...COMMON, ...OWN])

export const sign: Signer = (body, secret) => ({ 'x-gitea-signature': hmac(body, secret) })
