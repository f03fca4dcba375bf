import { call } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store, sync } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { AddRow } from '../../../platform/settings/add-row.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { withConfirmation } from '../../sessions/confirming.ts'

type Domain = organizations.RealmDomain

const addDomain = async (domain: Domain) =>
  withConfirmation(async () => call(SESSION, organizations.addRealmDomain, domain))
const predictDomain = (realm_domain: Domain) => sync.predict({ type: 'realm_domains', op: 'change', realm_domain })

async function changeDomain(domain: Domain, before: Domain): Promise<void> {
  predictDomain(domain)
  try {
    await withConfirmation(async () => call(SESSION, organizations.updateRealmDomain, domain))
  } catch (error) {
    predictDomain(before)
    throw error
  }
}

const removeDomain = async ({ domain }: Domain) =>
  withConfirmation(async () => call(SESSION, organizations.removeRealmDomain, { domain }))

export function Domains() {
  const [typed, setTyped] = useState('')
  const [refusal, run] = useRefusal()
  const domains = store().read('realm_domains')
  const append = async (): Promise<void> => {
    const domain = { domain: typed.trim(), allow_subdomains: false }
    if (!(await run(async () => addDomain(domain)))) return
    setTyped('')
    offerUndo(ta().organization.domainAdded(domain.domain), async () => removeDomain(domain), { isQuiet: true })
  }
  const turn = async (domain: Domain, isOn: boolean): Promise<void> => {
    const changed = { ...domain, allow_subdomains: isOn }
    if (await run(async () => changeDomain(changed, domain)))
      offerUndo(ta().organization.subdomains(domain.domain), async () => changeDomain(domain, changed), {
        isQuiet: true,
      })
  }
  const take = async (domain: Domain): Promise<void> => {
    if (await run(async () => removeDomain(domain)))
      offerUndo(ta().organization.domainRemoved(domain.domain), async () => addDomain(domain))
  }
  return (
    <div class="form">
      <ul class="listed" aria-label={ta().organization.domains}>
        {domains.map((domain) => (
          <li key={domain.domain} class="listed-row">
            <bdi class="listed-name">{domain.domain}</bdi>
            <label class="check">
              <input
                type="checkbox"
                checked={domain.allow_subdomains}
                onChange={({ currentTarget }) => void turn(domain, currentTarget.checked)}
              />
              <span>{ta().organization.subdomains(domain.domain)}</span>
            </label>
            <button
              class="icon-button"
              aria-label={ta().organization.removeDomain(domain.domain)}
              onClick={() => void take(domain)}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <AddRow action={ta().organization.addDomain} onAdd={() => void append()}>
        <input
          class="input"
          required
          aria-label={ta().organization.domain}
          placeholder={ta().organization.domain}
          maxLength={organizations.MAX_DOMAIN_CHARACTERS}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </AddRow>
      {refusal}
    </div>
  )
}
