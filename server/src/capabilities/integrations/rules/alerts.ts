import * as z from 'zod/mini'
import { formatCount } from '../../../kernel/phrases.ts'
import { string } from '../../../kernel/schemas.ts'
import { code, link, toSingleLine, quote } from './text.ts'

/* Alerts in the format of Alertmanager, which Grafana also sends. */

const textRecord = z.optional(z.record(string, string))

export const alert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: z.record(string, string),
  annotations: textRecord,
  startsAt: z.optional(string),
  generatorURL: z.optional(string),
  dashboardURL: z.optional(string),
  panelURL: z.optional(string),
  silenceURL: z.optional(string),
  imageURL: z.optional(string),
  valueString: z.optional(z.nullable(string)),
  /** Query results by the query's letter. */
  values: z.optional(z.nullable(z.record(string, z.number()))),
})
export type Alert = z.output<typeof alert>

export const alerts = z.object({
  status: z.enum(['firing', 'resolved']),
  receiver: string,
  groupLabels: textRecord,
  commonLabels: textRecord,
  externalURL: z.optional(string),
  alerts: z.array(alert),
  truncatedAlerts: z.optional(z.nullable(z.number())),
})
export type Alerts = z.output<typeof alerts>

export const SAMPLE_ALERTS: Alerts = {
  status: 'firing',
  receiver: 'parley',
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: { alertname: 'DiskFull', severity: 'critical' },
  externalURL: 'https://alerts.example/',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskFull', instance: 'db1:9100', severity: 'critical' },
      annotations: { summary: 'The disk of db1 is full', description: 'This is a test: the disk is not full.' },
      startsAt: '2026-11-25T10:00:00Z',
      generatorURL: 'https://alerts.example/graph',
    },
  ],
}

const MAX_LISTED_ALERTS = 15

const ALERT_NAME_LABEL = 'alertname'

export function alertTopic({ groupLabels = {}, commonLabels = {}, alerts: all }: Alerts): string {
  const name = groupLabels[ALERT_NAME_LABEL] ?? commonLabels[ALERT_NAME_LABEL] ?? all[0]?.labels[ALERT_NAME_LABEL]
  return toSingleLine(name ?? Object.values(groupLabels).join(', ')) || 'alerts'
}

export function alertList({ alerts: all, truncatedAlerts }: Alerts): string {
  const sorted = [
    ...all.filter(({ status }) => status === 'firing'),
    ...all.filter(({ status }) => status === 'resolved'),
  ]
  const shown = sorted
    .slice(0, MAX_LISTED_ALERTS)
    .map(({ values, ...one }) => alertText({ ...one, measured: Object.entries(values ?? {}) }))
  const more = Math.max(0, all.length - MAX_LISTED_ALERTS) + Math.max(0, Math.trunc(truncatedAlerts ?? 0))
  return [...shown, ...(more > 0 ? [`… and ${formatCount(more, 'more alert', 'more alerts')}`] : [])].join('\n\n')
}

const STATUS_SIGNS_AND_WORDS = {
  firing: ['🔥', 'is firing'],
  resolved: ['✅', 'is resolved'],
  no_data: ['❓', 'has no data'],
} as const

interface ReportedAlert extends Omit<Alert, 'status' | 'values'> {
  readonly status: keyof typeof STATUS_SIGNS_AND_WORDS
  readonly measured: readonly (readonly [name: string, value: number])[]
}

export function alertText({
  status,
  labels,
  annotations = {},
  generatorURL,
  dashboardURL,
  panelURL,
  silenceURL,
  imageURL,
  valueString,
  measured,
}: ReportedAlert): string {
  const name = link(annotations['summary'] ?? labels[ALERT_NAME_LABEL] ?? 'Alert', generatorURL)
  const runbook = annotations['runbook_url']
  const others = Object.entries(labels)
    .filter(([label]) => label !== ALERT_NAME_LABEL)
    .slice(0, 12)
  const [sign, words] = STATUS_SIGNS_AND_WORDS[status]
  const lines = [
    `${sign} **${name}** ${words}`,
    others.map(([label, value]) => code(`${label}=${value}`)).join(' '),
    status === 'firing' ? valuesText(measured, valueString) : '',
    [
      dashboardURL ? link('Dashboard', dashboardURL) : '',
      panelURL ? link('Panel', panelURL) : '',
      runbook ? link('Runbook', runbook) : '',
      imageURL ? link('Picture', imageURL) : '',
      status === 'firing' && silenceURL ? link('Silence', silenceURL) : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  ].filter((line) => line !== '')
  return lines.join('\n') + quote(annotations['description'] ?? annotations['message'])
}

function valuesText(measured: ReportedAlert['measured'], inWords: Alert['valueString']): string {
  const each = measured.slice(0, 12).map(([name, value]) => code(`${name}=${value}`))
  return each.length > 0 ? each.join(' ') : code(inWords ?? '')
}
