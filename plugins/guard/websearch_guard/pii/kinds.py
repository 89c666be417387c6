"""The classes of personal data and secrets, and what is done with each where the operator does not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal[
    "government_id",
    "payment_card",
    "iban",
    "bank_account",
    "email",
    "phone",
    "address",
    "birth_date",
    "medical_record",
    "health_insurance",
    "passport",
    "driving_licence",
    "vin",
    "plate",
    "device",
    "api_key",
    "private_key",
    "password",
    "seed_phrase",
]
"""What can be found, and the operator's names for it."""

Action = Literal["block", "mask", "allow"]
"""`block`: nothing is sent; `mask`: the request goes on without the span; `allow`: the class is not looked at."""

KINDS: tuple[Kind, ...] = get_args(Kind)

DEFAULT_ACTIONS: Mapping[Kind, Action] = dict.fromkeys(KINDS, "block")
"""Nothing leaves: a model that is told why can ask again without the value, and knows what the answer is to."""

SAID: Mapping[Kind, str] = {
    "government_id": "a government id number",
    "payment_card": "a payment card number",
    "iban": "an IBAN",
    "bank_account": "a bank account number",
    "email": "a personal e-mail address",
    "phone": "a personal phone number",
    "address": "a home address",
    "birth_date": "a person's name and birth date",
    "medical_record": "a medical record number",
    "health_insurance": "a health insurance number",
    "passport": "a passport number",
    "driving_licence": "a driving licence number",
    "vin": "a vehicle identification number",
    "plate": "a licence plate",
    "device": "a device's IMEI or serial number",
    "api_key": "an API key or token",
    "private_key": "a private key",
    "password": "a password",
    "seed_phrase": "a wallet's seed phrase",
}
"""How reasons name a class."""
