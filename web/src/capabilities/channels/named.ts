import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { allChannels, type Channel } from './state.ts'

const byKey = computed(() => new Map(allChannels().map((channel) => [caseKey(channel.name), channel])))

export function channelNamed(name: string): Channel | undefined {
  return byKey.value.get(caseKey(name))
}
