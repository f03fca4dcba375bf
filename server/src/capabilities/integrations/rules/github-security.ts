import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { basePayload, optionalText, repositoryTopic } from './forge.ts'
import { payloadOf, type Readers } from './requests.ts'
import { code, isGiven, lookUpWord, link, plainText } from './text.ts'

const dependabotAlert = z.object({
  ...basePayload,
  action: string,
  alert: z.object({
    html_url: optionalText,
    security_advisory: z.object({ summary: string, severity: optionalText }),
    dependency: z.object({ package: z.object({ name: string }) }),
  }),
})

const codeScanningAlert = z.object({
  ...basePayload,
  action: string,
  alert: z.object({
    html_url: optionalText,
    rule: z.object({
      description: optionalText,
      id: optionalText,
      severity: optionalText,
      security_severity_level: optionalText,
    }),
    tool: z.optional(z.nullable(z.object({ name: optionalText }))),
  }),
})

/** GitHub does not send the secret itself. */
const secretScanningAlert = z.object({
  repository: basePayload.repository,
  action: string,
  alert: z.object({
    html_url: optionalText,
    secret_type: optionalText,
    secret_type_display_name: optionalText,
    resolution: optionalText,
  }),
})

const VULNERABILITY_TEXTS: Readonly<Record<string, string>> = {
  created: '⚠️ A vulnerability was found',
  reintroduced: '⚠️ A vulnerability was reintroduced',
  reopened: '⚠️ A vulnerability was reopened',
  fixed: '✅ A vulnerability was fixed',
  dismissed: 'ℹ️ A vulnerability was dismissed',
}

const WEAKNESS_TEXTS: Readonly<Record<string, string>> = {
  created: '⚠️ A weakness was found',
  appeared_in_branch: '⚠️ A weakness was found in another branch',
  reopened: '⚠️ A weakness was reopened',
  reopened_by_user: '⚠️ A weakness was reopened',
  fixed: '✅ A weakness was fixed',
  closed_by_user: 'ℹ️ A weakness was dismissed',
}

const SECRET_TEXTS: Readonly<Record<string, string>> = {
  created: '⚠️ A secret was found',
  publicly_leaked: '⚠️ A secret was leaked publicly',
  reopened: '⚠️ A secret alert was reopened',
  resolved: '✅ A secret alert was resolved',
  revoked: '✅ A secret was revoked',
}

const SECURITY_TOPIC = 'vulnerabilities'

export const SECURITY_READERS: Readers = {
  dependabot_alert: (request) => {
    const payload = payloadOf(request, dependabotAlert)
    const words = lookUpWord(VULNERABILITY_TEXTS, payload.action)
    if (words === undefined) return undefined
    const { html_url, security_advisory: advisory, dependency } = payload.alert
    const severity = isGiven(advisory.severity) ? ` (${plainText(advisory.severity)})` : ''
    return {
      topic: repositoryTopic(payload, SECURITY_TOPIC),
      content: `${words} in ${code(dependency.package.name)}${severity}: ${link(advisory.summary, html_url)}`,
    }
  },
  code_scanning_alert: (request) => {
    const payload = payloadOf(request, codeScanningAlert)
    const words = lookUpWord(WEAKNESS_TEXTS, payload.action)
    if (words === undefined) return undefined
    const { html_url, rule, tool } = payload.alert
    const facts = [rule.security_severity_level || rule.severity, tool?.name].filter(isGiven)
    const more = facts.length === 0 ? '' : ` (${plainText(facts.join(', '))})`
    return {
      topic: repositoryTopic(payload, SECURITY_TOPIC),
      content: `${words}${more}: ${link(rule.description || rule.id || 'a rule', html_url)}`,
    }
  },
  secret_scanning_alert: (request) => {
    const payload = payloadOf(request, secretScanningAlert)
    const words = lookUpWord(SECRET_TEXTS, payload.action)
    if (words === undefined) return undefined
    const { html_url, secret_type, secret_type_display_name, resolution } = payload.alert
    const how = isGiven(resolution) ? ` (${plainText(resolution.replaceAll('_', ' '))})` : ''
    return {
      topic: repositoryTopic(payload, SECURITY_TOPIC),
      content: `${words}: ${link(secret_type_display_name || secret_type || 'unknown kind', html_url)}${how}`,
    }
  },
}
