#!/bin/sh
# Generates a CA and a certificate signed by it in this folder, valid for ten years or the given number of days.
# The CA's key is not kept: to renew, run this script again and apply.
set -eu
umask 077
cd "$(dirname "$0")"
days=${1:-3650}
name=slicewise-webhook.slicewise.svc
new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
trap 'rm -f ca.key tls.csr extensions' EXIT

$new -x509 -days "$days" -subj /CN=slicewise-webhook-ca -keyout ca.key -out ca.crt
printf 'subjectAltName=DNS:%s,DNS:%s.cluster.local\nextendedKeyUsage=serverAuth\n' "$name" "$name" > extensions
$new -subj /CN=slicewise-webhook -keyout tls.key -out tls.csr
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -days "$days" -extfile extensions -out tls.crt

bundle=$(openssl base64 -A -in ca.crt)
{
  printf '%s\n' '- {op: add, path: /webhooks/0/clientConfig/caBundle, value: '"$bundle"'}'
  printf '%s\n' '- {op: add, path: /webhooks/1/clientConfig/caBundle, value: '"$bundle"'}'
  printf '%s\n' '- {op: add, path: /webhooks/2/clientConfig/caBundle, value: '"$bundle"'}'
} > ca-bundle.yaml
