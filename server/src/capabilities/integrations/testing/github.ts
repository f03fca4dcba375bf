import {
  COMMON_SAMPLES,
  ANN_LINK,
  BASE_PAYLOAD,
  comment,
  ISSUE_LINK,
  issue,
  PULL_LINK,
  pull_request,
  SITE,
  samplesFor,
  type ForgeSample,
} from './forge-payloads.ts'
import { hmac, type Sample, type Signer } from './sample.ts'

const GITHUB_SAMPLES: readonly ForgeSample[] = [
  {
    what: 'ping',
    body: { zen: 'Keep it short.', ...BASE_PAYLOAD },
    topic: 'rocket',
    content: 'GitHub is connected.\n\n```quote\nKeep it short.\n```',
  },
  {
    what: 'pull_request_review',
    body: {
      ...BASE_PAYLOAD,
      action: 'submitted',
      pull_request,
      review: { state: 'approved', html_url: `${SITE}/rv`, body: null },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} approved pull request [\\#7 Burn \\*less\\*](${SITE}/rv).`,
  },
  {
    what: 'pull_request_review',
    body: {
      ...BASE_PAYLOAD,
      action: 'submitted',
      pull_request,
      review: { state: 'commented', html_url: `${SITE}/rv`, body: 'Two *things*' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} reviewed pull request [\\#7 Burn \\*less\\*](${SITE}/rv).\n\n\`\`\`quote\nTwo *things*\n\`\`\``,
  },
  {
    what: 'pull_request_review',
    body: {
      ...BASE_PAYLOAD,
      action: 'submitted',
      pull_request,
      review: {
        state: 'commented',
        html_url: `${SITE}/rv`,
        body: ':x: `:x:` :construction: :email: :no_such::x: https://a.example/:x:\n\n```\n:x:\n```\n\n:hugs: :norway:',
      },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content:
      `${ANN_LINK} reviewed pull request [\\#7 Burn \\*less\\*](${SITE}/rv).\n\n\`\`\`\`quote\n:cross_mark: \`:x:\` :work_in_progress: ` +
      ':e-mail: :no_such::cross_mark: https://a.example/:x:\n\n```\n:x:\n```\n\n:hugs: :norway:\n````',
  },
  {
    what: 'pull_request_review_comment',
    body: { ...BASE_PAYLOAD, action: 'created', pull_request, comment: { ...comment, path: 'tank.c' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} wrote [a comment](${SITE}/c/1) on pull request \\#7 at \`tank.c\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'commit_comment',
    body: { ...BASE_PAYLOAD, comment: { ...comment, commit_id: '0123456789abcdef' } },
    topic: 'rocket',
    content: `${ANN_LINK} wrote [a comment](${SITE}/c/1) on the commit \`0123456789a\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  { what: 'star', body: { ...BASE_PAYLOAD, action: 'created' }, topic: 'rocket', content: `${ANN_LINK} starred it.` },
  {
    what: 'workflow_run',
    body: {
      ...BASE_PAYLOAD,
      action: 'completed',
      workflow_run: { name: 'CI', html_url: `${SITE}/w`, conclusion: 'failure', head_branch: 'main', run_number: 9 },
    },
    topic: 'rocket / main',
    content: `❌ [CI \\#9](${SITE}/w) of \`main\`: failure (${ANN_LINK})`,
  },
  {
    what: 'deployment_status',
    body: {
      ...BASE_PAYLOAD,
      deployment: { environment: 'production', ref: 'main' },
      deployment_status: { state: 'success', target_url: `${SITE}/d`, description: '' },
    },
    topic: 'rocket',
    content: `Deployment of \`main\` to [production](${SITE}/d): **success**`,
  },
  {
    what: 'workflow_run',
    body: {
      ...BASE_PAYLOAD,
      action: 'completed',
      workflow: { name: 'CI' },
      workflow_run: {
        name: '',
        html_url: `${SITE}/w`,
        conclusion: 'skipped',
        head_branch: 'main',
        run_number: 9,
        head_commit: { id: '0123456789abcdef', message: 'Seal it\n\nWith glue.' },
      },
    },
    topic: 'rocket / main',
    content: `ℹ️ [CI \\#9](${SITE}/w) of \`main\` for [Seal it](${SITE}/acme/rocket/commit/0123456789abcdef): skipped (${ANN_LINK})`,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'opened', pull_request: { ...pull_request, draft: true, body: null } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} opened draft pull request ${PULL_LINK} (\`less\` into \`main\`).`,
  },
  {
    what: 'pull_request',
    body: { ...BASE_PAYLOAD, action: 'review_request_removed', pull_request, requested_team: { name: 'crew' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} no longer asks a team to review pull request ${PULL_LINK}.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'closed', issue: { ...issue, state_reason: 'not_planned' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} closed issue ${ISSUE_LINK} as not planned.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'milestoned', issue, milestone: { title: 'Launch' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} added issue ${ISSUE_LINK} to the milestone Launch.`,
  },
  {
    what: 'issues',
    body: { ...BASE_PAYLOAD, action: 'opened', issue: { ...issue, body: '<!-- Say what happened. -->\r\n' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} opened issue ${ISSUE_LINK}.`,
  },
  {
    what: 'status',
    body: {
      ...BASE_PAYLOAD,
      sha: '0123456789abcdef',
      state: 'failure',
      context: 'ci/tests',
      target_url: `${SITE}/ci`,
      description: '2 tests failed',
      branches: [{ name: 'main' }],
    },
    topic: 'rocket',
    content: `❌ [ci\\/tests](${SITE}/ci) of the commit \`0123456789a\`: failure (2 tests failed)`,
  },
  {
    what: 'check_run',
    body: {
      ...BASE_PAYLOAD,
      action: 'completed',
      check_run: {
        name: 'lint',
        html_url: `${SITE}/check`,
        conclusion: 'success',
        head_sha: '0123456789abcdef',
        output: { title: null, summary: null },
      },
    },
    topic: 'rocket',
    content: `✅ [lint](${SITE}/check) of the commit \`0123456789a\`: success`,
  },
  {
    what: 'discussion',
    body: {
      ...BASE_PAYLOAD,
      action: 'created',
      discussion: { number: 4, title: 'Fuel?', html_url: `${SITE}/d/4`, body: 'Which?' },
    },
    topic: 'rocket / discussion #4 Fuel?',
    content: `${ANN_LINK} started the discussion [\\#4 Fuel\\?](${SITE}/d/4).\n\n\`\`\`quote\nWhich?\n\`\`\``,
  },
  {
    what: 'discussion',
    body: {
      ...BASE_PAYLOAD,
      action: 'transferred',
      discussion: { number: 4, title: 'Fuel?', html_url: `${SITE}/d/4`, body: 'Which?' },
      changes: {
        new_discussion: { number: 9, html_url: `${SITE}/acme/fuel/d/9` },
        new_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / discussion #4 Fuel?',
    content: `${ANN_LINK} transferred the discussion [\\#4 Fuel\\?](${SITE}/d/4) to [acme\\/fuel\\#9](${SITE}/acme/fuel/d/9).`,
  },
  {
    what: 'issues',
    body: {
      ...BASE_PAYLOAD,
      action: 'transferred',
      issue,
      changes: {
        new_issue: { number: 9, title: 'It leaks', html_url: `${SITE}/acme/fuel/issues/9` },
        new_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} transferred issue ${ISSUE_LINK} to [acme\\/fuel\\#9](${SITE}/acme/fuel/issues/9).`,
  },
  {
    what: 'issues',
    body: {
      ...BASE_PAYLOAD,
      action: 'opened',
      issue: { ...issue, body: null },
      changes: {
        old_issue: { number: 9, title: 'It leaks', html_url: `${SITE}/acme/fuel/issues/9` },
        old_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN_LINK} opened issue ${ISSUE_LINK}, transferred from [acme\\/fuel\\#9](${SITE}/acme/fuel/issues/9).`,
  },
  {
    what: 'discussion_comment',
    body: {
      ...BASE_PAYLOAD,
      action: 'created',
      discussion: { number: 4, title: 'Fuel', html_url: `${SITE}/d/4`, body: 'Which?' },
      comment,
    },
    topic: 'rocket / discussion #4 Fuel',
    content: `${ANN_LINK} wrote [a comment](${SITE}/c/1) on the discussion [\\#4 Fuel](${SITE}/d/4):\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'gollum',
    body: {
      ...BASE_PAYLOAD,
      pages: [
        { page_name: 'Home', title: 'Home', action: 'edited', html_url: `${SITE}/wiki/Home` },
        { page_name: 'Fuel', title: 'Fuel', action: 'created', html_url: `${SITE}/wiki/Fuel` },
      ],
    },
    topic: 'rocket / wiki',
    content: `${ANN_LINK} changed the wiki:\n* edited [Home](${SITE}/wiki/Home)\n* created [Fuel](${SITE}/wiki/Fuel)`,
  },
  {
    what: 'repository',
    body: { ...BASE_PAYLOAD, action: 'archived' },
    topic: 'rocket',
    content: `${ANN_LINK} archived the repository [acme\\/rocket](${SITE}/acme/rocket).`,
  },
  {
    what: 'repository',
    body: { ...BASE_PAYLOAD, action: 'renamed', changes: { repository: { name: { from: 'old_rocket' } } } },
    topic: 'rocket',
    content: `${ANN_LINK} renamed the repository [acme\\/rocket](${SITE}/acme/rocket), which was called old\\_rocket.`,
  },
  {
    what: 'repository',
    body: { ...BASE_PAYLOAD, action: 'transferred', changes: { owner: { from: { user: { login: 'bob' } } } } },
    topic: 'rocket',
    content: `${ANN_LINK} transferred the repository [acme\\/rocket](${SITE}/acme/rocket) from bob.`,
  },
  {
    what: 'repository',
    body: {
      ...BASE_PAYLOAD,
      action: 'transferred',
      changes: { owner: { from: { organization: { login: 'old-crew' } } } },
    },
    topic: 'rocket',
    content: `${ANN_LINK} transferred the repository [acme\\/rocket](${SITE}/acme/rocket) from old\\-crew.`,
  },
  {
    what: 'public',
    body: BASE_PAYLOAD,
    topic: 'rocket',
    content: `${ANN_LINK} made the repository [acme\\/rocket](${SITE}/acme/rocket) public.`,
  },
  {
    what: 'member',
    body: { ...BASE_PAYLOAD, action: 'added', member: { login: 'bob', html_url: `${SITE}/bob` } },
    topic: 'rocket',
    content: `${ANN_LINK} added the collaborator [bob](${SITE}/bob).`,
  },
  {
    what: 'milestone',
    body: { ...BASE_PAYLOAD, action: 'closed', milestone: { title: 'Launch', html_url: `${SITE}/m/1`, number: 1 } },
    topic: 'rocket',
    content: `${ANN_LINK} closed the milestone [Launch](${SITE}/m/1).`,
  },
  {
    what: 'dependabot_alert',
    body: {
      ...BASE_PAYLOAD,
      action: 'created',
      alert: {
        html_url: `${SITE}/alert`,
        security_advisory: { summary: 'It burns', severity: 'high' },
        dependency: { package: { ecosystem: 'npm', name: 'fuel' } },
      },
    },
    topic: 'rocket / vulnerabilities',
    content: `⚠️ A vulnerability was found in \`fuel\` (high): [It burns](${SITE}/alert)`,
  },
  {
    what: 'code_scanning_alert',
    body: {
      ...BASE_PAYLOAD,
      action: 'created',
      alert: {
        html_url: `${SITE}/alert`,
        rule: { id: 'c/overflow', severity: 'error', description: 'It may *overflow*', name: '' },
        tool: { name: 'CodeQL', version: null },
      },
    },
    topic: 'rocket / vulnerabilities',
    content: `⚠️ A weakness was found (error\\, CodeQL): [It may \\*overflow\\*](${SITE}/alert)`,
  },
  {
    what: 'secret_scanning_alert',
    body: {
      repository: BASE_PAYLOAD.repository,
      action: 'resolved',
      alert: {
        html_url: `${SITE}/alert`,
        secret_type: 'a_token',
        secret_type_display_name: 'A Token',
        resolution: 'used_in_tests',
      },
    },
    topic: 'rocket / vulnerabilities',
    content: `✅ A secret alert was resolved: [A Token](${SITE}/alert) (used in tests)`,
  },
  {
    what: 'pull_request_review_thread',
    body: { ...BASE_PAYLOAD, action: 'resolved', pull_request, thread: { node_id: 'x', comments: [comment] } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN_LINK} resolved [a conversation](${SITE}/c/1) on pull request ${PULL_LINK}.`,
  },
]

export const SAMPLES: readonly Sample[] = samplesFor('github', 'x-github-event', [...COMMON_SAMPLES, ...GITHUB_SAMPLES])

export const sign: Signer = (body, secret) => ({ 'x-hub-signature-256': `sha256=${hmac(body, secret)}` })
