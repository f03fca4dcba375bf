import * as z from 'zod/mini'
import { formatCount } from '../../../kernel/phrases.ts'
import { string } from '../../../kernel/schemas.ts'
import { payloadOf, type Integration } from './requests.ts'
import { code, isGiven, lookUpWord, link, toSingleLine, plainText } from './text.ts'

const optionalText = z.optional(z.nullable(string))

const payload = z.object({
  name: string,
  display_name: optionalText,
  build: z.object({
    number: z.number(),
    phase: string,
    status: optionalText,
    full_url: optionalText,
    scm: z.optional(z.nullable(z.object({ branch: optionalText, commit: optionalText }))),
    test_summary: z.optional(z.nullable(z.object({ total: z.number(), failed: z.number() }))),
  }),
})

const SAMPLE_SITE_URL = 'https://jenkins.example'

const SAMPLE_PAYLOAD: z.input<typeof payload> = {
  name: 'test',
  display_name: 'A test of the connection',
  build: {
    number: 5,
    phase: 'FINALIZED',
    status: 'SUCCESS',
    full_url: `${SAMPLE_SITE_URL}/job/test/5/`,
    scm: { branch: 'origin/main', commit: 'b'.repeat(40) },
  },
}

const STATUS_SIGNS: Readonly<Record<string, string>> = { SUCCESS: '✅', FAILURE: '❌', UNSTABLE: '⚠️', ABORTED: '🚫' }

/** Posts only the start and the end of a build. */
export const integration: Integration = {
  read(request) {
    const { name, display_name, build } = payloadOf(request, payload)
    const { number, phase, status, full_url, scm, test_summary: tests } = build
    if (phase !== 'STARTED' && phase !== 'FINALIZED') return undefined
    const title = display_name ?? name
    const what = link(`${title} #${number}`, full_url)
    const commit = isGiven(scm?.commit) ? ` (${code(scm.commit.slice(0, 11))})` : ''
    const from = isGiven(scm?.branch) ? ` of ${code(scm.branch)}${commit}` : ''
    const failed =
      isGiven(tests) && tests.failed > 0
        ? ` (${tests.failed} of ${formatCount(tests.total, 'test', 'tests')} failed)`
        : ''
    const content =
      phase === 'STARTED'
        ? `🔨 ${what}${from} has started.`
        : `${lookUpWord(STATUS_SIGNS, status) ?? '❔'} ${what}${from}: ${plainText((status ?? 'no result').toLowerCase())}${failed}`
    return { event: phase.toLowerCase(), topic: toSingleLine(title), content }
  },
  sample: { body: SAMPLE_PAYLOAD },
}
