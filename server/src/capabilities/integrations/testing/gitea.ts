import {
  COMMON_SAMPLES,
  ANN_LINK,
  BASE_PAYLOAD,
  COMMIT_LIST,
  issue,
  ISSUE_LINK,
  PULL_LINK,
  pull_request,
  push,
  SITE,
  ZERO_HASH,
  samplesFor,
  type ForgeSample,
} from './forge-payloads.ts'
import { hmac, type Sample, type Signer } from './sample.ts'

const GITEA_SAMPLES: readonly ForgeSample[] = [
  {
    what: 'push',
    body: {
      ...push,
      before: ZERO_HASH,
      compare: undefined,
      compare_url: `${SITE}/acme/rocket/compare/${ZERO_HASH}...b`,
      total_commits: 7,
    },
    topic: 'rocket / main',
    content: `${ANN_LINK} pushed 7 commits to the new branch \`main\`.${COMMIT_LIST}\n* … and 5 more`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'closed', issue: { ...issue, html_url: undefined } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} closed issue \\#3 It leaks.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'assigned', issue: { ...issue, assignee: { login: 'ben', full_name: 'Ben' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} assigned ben to issue ${ISSUE_LINK}.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'milestoned', issue: { ...issue, milestone: { title: '1.0' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} added issue ${ISSUE_LINK} to the milestone 1\\.0.`,
  },
  {
    what: 'pull_request',
    body: {
      ...BASE_PAYLOAD,
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
    content: `${ANN_LINK} opened pull request ${PULL_LINK} (\`less\` into \`main\`).`,
  },
  {
    what: 'pull_request_approved',
    body: {
      ...BASE_PAYLOAD,
      action: 'reviewed',
      pull_request,
      review: { type: 'pull_request_review_approved', content: '' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} approved pull request ${PULL_LINK}.`,
  },
  {
    what: 'pull_request_rejected',
    body: {
      ...BASE_PAYLOAD,
      action: 'reviewed',
      pull_request,
      review: { type: 'pull_request_review_rejected', content: 'Not *yet*' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} requested changes in pull request ${PULL_LINK}.\n\n\`\`\`quote\nNot *yet*\n\`\`\``,
  },
  {
    what: 'pull_request_comment',
    body: {
      ...BASE_PAYLOAD,
      action: 'reviewed',
      pull_request,
      review: { type: 'pull_request_review_comment', content: 'Hm' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} reviewed pull request ${PULL_LINK}.\n\n\`\`\`quote\nHm\n\`\`\``,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'label_updated', issue },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} changed the labels of issue ${ISSUE_LINK}.`,
  },
  {
    what: 'wiki',
    body: { ...BASE_PAYLOAD, action: 'edited', page: 'How to fly', comment: 'Clearer' },
    topic: 'rocket / wiki',
    content: `${ANN_LINK} edited the wiki page [How to fly](${SITE}/acme/rocket/wiki/How%20to%20fly).\n\n\`\`\`quote\nClearer\n\`\`\``,
  },
  {
    what: 'repository',
    body: { ...BASE_PAYLOAD, action: 'created' },
    topic: 'rocket',
    content: `${ANN_LINK} created the repository [acme\\/rocket](${SITE}/acme/rocket).`,
  },
]

export const SAMPLES: readonly Sample[] = samplesFor('gitea', 'x-gitea-event', [...COMMON_SAMPLES, ...GITEA_SAMPLES])

export const sign: Signer = (body, secret) => ({ 'x-gitea-signature': hmac(body, secret) })
