// Programs that call themselves what they are and have no business on any site: they look for holes, for addresses to send mail to, or
// take everything. Each by how it begins.

export const badBots: readonly string[] = [
  // Look for holes.
  'Acunetix',
  'DirBuster',
  'feroxbuster',
  'gobuster',
  'Jorgee',
  'masscan',
  'Morfeus',
  'Mozilla/5.0 (compatible; Nmap Scripting Engine',
  'muieblackcat',
  'Mozilla/5.00 (Nikto',
  'Nikto',
  'sqlmap',
  'w3af',
  'ZmEu',
  // Gather addresses.
  'CherryPicker',
  'EmailCollector',
  'EmailSiphon',
  'EmailWolf',
  'ExtractorPro',
  // Take everything.
  'HTTrack',
  'SiteSnagger',
  'Teleport Pro',
  'WebBandit',
  'WebCopier',
  'WebReaper',
  'WebStripper',
  'WebZIP',
  'Xaldon WebSpider',
];
