import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { audit, auditNowAndThen } from '../../platform/sync/audit.ts'

export const stateDigest: Capability = {
  name: 'state-digest',
  begin: () => auditNowAndThen(sync),
  commands: [{ id: 'stateDigest.check', title: () => t().app.check, icon: 'check', run: () => void check() }],
}

async function check(): Promise<void> {
  try {
    const found = await audit(sync)
    if (found === undefined) toast(t().app.isBusy)
    else toast(found.drifted === 0 ? t().app.isRight : t().app.wasMended(found.drifted))
  } catch (error) {
    toast(reasonOf(error))
  }
}
