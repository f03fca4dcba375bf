import {
  COMMON,
  ANN,
  base,
  comment,
  ISSUE,
  issue,
  PULL,
  pull_request,
  SITE,
  requestsOf,
  type OfForge,
} from './forge-payloads.ts'
import { hmac, type Sample, type Signer } from './sample.ts'

const OWN: readonly OfForge[] = [
  {
    what: 'ping',
    body: { zen: 'Keep it short.', ...base },
    topic: 'rocket',
    content: 'GitHub is connected.\n\n```quote\nKeep it short.\n```',
  },
  {
    what: 'pull_request_review',
    body: {
      ...base,
      action: 'submitted',
      pull_request,
      review: { state: 'approved', html_url: `${SITE}/rv`, body: null },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} approved pull request [\\#7 Burn \\*less\\*](${SITE}/rv).`,
  },
  {
    what: 'pull_request_review',
    body: {
      ...base,
      action: 'submitted',
      pull_request,
      review: { state: 'commented', html_url: `${SITE}/rv`, body: 'Two *things*' },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} reviewed pull request [\\#7 Burn \\*less\\*](${SITE}/rv).\n\n\`\`\`quote\nTwo *things*\n\`\`\``,
  },
  {
    what: 'pull_request_review',
    body: {
      ...base,
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
      `${ANN} reviewed pull request [\\#7 Burn \\*less\\*](${SITE}/rv).\n\n\`\`\`\`quote\n:cross_mark: \`:x:\` :work_in_progress: ` +
      ':e-mail: :no_such::cross_mark: https://a.example/:x:\n\n```\n:x:\n```\n\n:hugs: :norway:\n````',
  },
  {
    what: 'pull_request_review_comment',
    body: { ...base, action: 'created', pull_request, comment: { ...comment, path: 'tank.c' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on pull request \\#7 at \`tank.c\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'commit_comment',
    body: { ...base, comment: { ...comment, commit_id: '0123456789abcdef' } },
    topic: 'rocket',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on the commit \`0123456789a\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  { what: 'star', body: { ...base, action: 'created' }, topic: 'rocket', content: `${ANN} starred it.` },
  {
    what: 'workflow_run',
    body: {
      ...base,
      action: 'completed',
      workflow_run: { name: 'CI', html_url: `${SITE}/w`, conclusion: 'failure', head_branch: 'main', run_number: 9 },
    },
    topic: 'rocket / main',
    content: `❌ [CI \\#9](${SITE}/w) of \`main\`: failure (${ANN})`,
  },
  {
    what: 'deployment_status',
    body: {
      ...base,
      deployment: { environment: 'production', ref: 'main' },
      deployment_status: { state: 'success', target_url: `${SITE}/d`, description: '' },
    },
    topic: 'rocket',
    content: `Deployment of \`main\` to [production](${SITE}/d): **success**`,
  },
  {
    what: 'workflow_run',
    body: {
      ...base,
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
    content: `ℹ️ [CI \\#9](${SITE}/w) of \`main\` for [Seal it](${SITE}/acme/rocket/commit/0123456789abcdef): skipped (${ANN})`,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'opened', pull_request: { ...pull_request, draft: true, body: null } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} opened draft pull request ${PULL} (\`less\` into \`main\`).`,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'review_request_removed', pull_request, requested_team: { name: 'crew' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} asks a team no longer to review pull request ${PULL}.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'closed', issue: { ...issue, state_reason: 'not_planned' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} closed issue ${ISSUE} as not planned.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'milestoned', issue, milestone: { title: 'Launch' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} put issue ${ISSUE} into the milestone Launch.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'opened', issue: { ...issue, body: '<!-- Say what happened. -->\r\n' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} opened issue ${ISSUE}.`,
  },
  {
    what: 'status',
    body: {
      ...base,
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
      ...base,
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
      ...base,
      action: 'created',
      discussion: { number: 4, title: 'Fuel?', html_url: `${SITE}/d/4`, body: 'Which?' },
    },
    topic: 'rocket / discussion #4 Fuel?',
    content: `${ANN} began the discussion [\\#4 Fuel\\?](${SITE}/d/4).\n\n\`\`\`quote\nWhich?\n\`\`\``,
  },
  {
    what: 'discussion',
    body: {
      ...base,
      action: 'transferred',
      discussion: { number: 4, title: 'Fuel?', html_url: `${SITE}/d/4`, body: 'Which?' },
      changes: {
        new_discussion: { number: 9, html_url: `${SITE}/acme/fuel/d/9` },
        new_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / discussion #4 Fuel?',
    content: `${ANN} transferred the discussion [\\#4 Fuel\\?](${SITE}/d/4) to [acme\\/fuel\\#9](${SITE}/acme/fuel/d/9).`,
  },
  {
    what: 'issues',
    body: {
      ...base,
      action: 'transferred',
      issue,
      changes: {
        new_issue: { number: 9, title: 'It leaks', html_url: `${SITE}/acme/fuel/issues/9` },
        new_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} transferred issue ${ISSUE} to [acme\\/fuel\\#9](${SITE}/acme/fuel/issues/9).`,
  },
  {
    what: 'issues',
    body: {
      ...base,
      action: 'opened',
      issue: { ...issue, body: null },
      changes: {
        old_issue: { number: 9, title: 'It leaks', html_url: `${SITE}/acme/fuel/issues/9` },
        old_repository: { full_name: 'acme/fuel' },
      },
    },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} opened issue ${ISSUE}, transferred from [acme\\/fuel\\#9](${SITE}/acme/fuel/issues/9).`,
  },
  {
    what: 'discussion_comment',
    body: {
      ...base,
      action: 'created',
      discussion: { number: 4, title: 'Fuel', html_url: `${SITE}/d/4`, body: 'Which?' },
      comment,
    },
    topic: 'rocket / discussion #4 Fuel',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on the discussion [\\#4 Fuel](${SITE}/d/4):\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'gollum',
    body: {
      ...base,
      pages: [
        { page_name: 'Home', title: 'Home', action: 'edited', html_url: `${SITE}/wiki/Home` },
        { page_name: 'Fuel', title: 'Fuel', action: 'created', html_url: `${SITE}/wiki/Fuel` },
      ],
    },
    topic: 'rocket / wiki',
    content: `${ANN} changed the wiki:\n* edited [Home](${SITE}/wiki/Home)\n* created [Fuel](${SITE}/wiki/Fuel)`,
  },
  {
    what: 'repository',
    body: { ...base, action: 'archived' },
    topic: 'rocket',
    content: `${ANN} archived the repository [acme\\/rocket](${SITE}/acme/rocket).`,
  },
  {
    what: 'repository',
    body: { ...base, action: 'renamed', changes: { repository: { name: { from: 'old_rocket' } } } },
    topic: 'rocket',
    content: `${ANN} renamed the repository [acme\\/rocket](${SITE}/acme/rocket), which was called old\\_rocket.`,
  },
  {
    what: 'repository',
    body: { ...base, action: 'transferred', changes: { owner: { from: { user: { login: 'bob' } } } } },
    topic: 'rocket',
    content: `${ANN} transferred the repository [acme\\/rocket](${SITE}/acme/rocket) from bob.`,
  },
  {
    what: 'repository',
    body: { ...base, action: 'transferred', changes: { owner: { from: { organization: { login: 'old-crew' } } } } },
    topic: 'rocket',
    content: `${ANN} transferred the repository [acme\\/rocket](${SITE}/acme/rocket) from old\\-crew.`,
  },
  {
    what: 'public',
    body: base,
    topic: 'rocket',
    content: `${ANN} made the repository [acme\\/rocket](${SITE}/acme/rocket) public.`,
  },
  {
    what: 'member',
    body: { ...base, action: 'added', member: { login: 'bob', html_url: `${SITE}/bob` } },
    topic: 'rocket',
    content: `${ANN} added the collaborator [bob](${SITE}/bob).`,
  },
  {
    what: 'milestone',
    body: { ...base, action: 'closed', milestone: { title: 'Launch', html_url: `${SITE}/m/1`, number: 1 } },
    topic: 'rocket',
    content: `${ANN} closed the milestone [Launch](${SITE}/m/1).`,
  },
  {
    what: 'dependabot_alert',
    body: {
      ...base,
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
      ...base,
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
      repository: base.repository,
      action: 'resolved',
      alert: {
        html_url: `${SITE}/alert`,
        secret_type: 'a_token',
        secret_type_display_name: 'A Token',
        resolution: 'used_in_tests',
      },
    },
    topic: 'rocket / vulnerabilities',
    content: `✅ A secret was dealt with: [A Token](${SITE}/alert) (used in tests)`,
  },
  {
    what: 'pull_request_review_thread',
    body: { ...base, action: 'resolved', pull_request, thread: { node_id: 'x', comments: [comment] } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} resolved [a conversation](${SITE}/c/1) on pull request ${PULL}.`,
  },
]

export const SAMPLES: readonly Sample[] = requestsOf('github', 'x-github-event', [...COMMON, ...OWN])

export const sign: Signer = (body, secret) => ({ 'x-hub-signature-256': `sha256=${hmac(body, secret)}` })
