import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../platform/requests.ts'
import type { Audit } from '../../platform/sync/audit.ts'

export const stateDigest: Capability = {
  name: 'state-digest',
  begin: auditNowAndThen,
  commands: [{ id: 'stateDigest.check', title: () => t().app.check, icon: 'check', run: () => void check() }],
}

const BETWEEN_MILLISECONDS = 10 * 60_000

/** Periodically compares the client's state with the server's, in the leading tab. A mismatch reloads the state. */
function auditNowAndThen(): void {
  setInterval(() => {
    if (!document.hidden && sync.leads.peek() && sync.isConnected.peek()) void audited().catch(() => undefined)
  }, BETWEEN_MILLISECONDS)
}

async function audited(): Promise<Audit> {
  const { audit } = await import('../../platform/sync/audit.ts')
  return audit(sync)
}

async function check(): Promise<void> {
  try {
    const found = await audited()
    if (found === undefined) toast(t().app.isBusy)
    else toast(found.drifted === 0 ? t().app.isRight : t().app.wasMended(found.drifted))
  } catch (error) {
    toast(reasonOf(error))
  }
}
