// The certificate of a mail server that only tests speak to, signed by itself. Its key opens nothing else.
export const mailServerName = 'mail.test';

export const mailServerKey = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHiboIEq6tvtwJ2pY
aS7fFllGx54ycboBcbnptyUxXhihRANCAASMuK7ieV89ndRp2kv2OKctpqRY7qs7
Mm2Cd7fugKeJ53W8QIf00BovsHmFq4aRE1jeGs3pNYSua7ejpTVu7rR7
-----END PRIVATE KEY-----
`;

export const mailServerCertificate = `
-----BEGIN CERTIFICATE-----
MIIBYDCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAltYWlsLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CW1haWwudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIy4ruJ5Xz2d1Gna
S/Y4py2mpFjuqzsybYJ3t+6Ap4nndbxAh/TQGi+weYWrhpETWN4azek1hK5rt6Ol
NW7utHujSDBGMBQGA1UdEQQNMAuCCW1haWwudGVzdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBRfkKzge8R3WaMOuVbHlfzoCtaPQzAKBggqhkjOPQQDAgNHADBE
AiAGz5CzMEiAf7cF/V/SUCP3TuSCzYRqRBDACcg4h4rB5gIgKOxOY5Np21Juq9a+
n73Kptvi/O6u1E899Y1mnQlfQM8=
-----END CERTIFICATE-----
`;
