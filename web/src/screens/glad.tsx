import { t } from '../kernel/strings.ts'
import { Link } from '../platform/dom/link.tsx'

export function Glad() {
  return (
    <div class="empty glad">
      <svg viewBox="0 0 200 120" width={200} height={120} aria-hidden="true" focusable="false">
        <circle class="glad-sun" cx="100" cy="70" r="26" />
        <path class="glad-rays" d="M100 30V16M128 42l10-10M72 42L62 32M141 70h14M45 70h14" />
        <path class="glad-far" d="M0 92q50-30 100-8t100-8v44H0z" />
        <path class="glad-near" d="M0 104q60-24 110-6t90-2v24H0z" />
        <path class="glad-sprout" d="M100 102V84m0 6q-12 0-14-12q13 0 14 12m0-4q0-12 14-14q0 14-14 14" />
      </svg>
      <strong>{t().inbox.empty}</strong>
      <span>{t().inbox.quiet}</span>
      <Link to={{ view: 'recent' }} class="button">
        {t().nav.recent}
      </Link>
    </div>
  )
}
